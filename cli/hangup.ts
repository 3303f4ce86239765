/** The action for SIGHUP, once it is set; earlier signals are remembered. */
let reload: (() => void) | undefined;
let isPending = false;

/** Commands that reload their files on SIGHUP; it ends all others. The default command is `open`. */
const services: ReadonlySet<string> = new Set(["serve", "open"]);

/** Must be called first: by default, a signal during the start ends the program. */
export function heedHangups(command: string | undefined): void {
  if (command !== undefined && !services.has(command)) return;
  process.on("SIGHUP", () => {
    if (reload === undefined) isPending = true;
    else reload();
  });
}

/**
 * Has each SIGHUP call `action`, at once for one that has come already.
 * @returns ends this: signals are ignored from then on
 */
export function onHangup(action: () => void): () => void {
  reload = action;
  if (isPending) action();
  isPending = false;
  return () => {
    reload = () => undefined;
  };
}

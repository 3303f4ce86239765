/** What a SIGHUP has the program do, once it can; until then it is remembered. */
let reload: (() => void) | undefined;
let isPending = false;

/** Commands that read their files again at a SIGHUP, which ends every other one. Without a command `open` is meant. */
const services: ReadonlySet<string> = new Set(["serve", "open"]);

/** Called first of all: by default a signal that arrives while the program is still starting would end it. */
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

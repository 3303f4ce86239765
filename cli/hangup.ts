/** The actions for SIGHUP, once there is one; earlier signals are remembered. */
const actions = new Set<() => void>();
let isReady = false;
let isPending = false;

/** Commands that reload their files on SIGHUP; it ends all others. The default command is `open`. */
const services: ReadonlySet<string> = new Set(["serve", "open"]);

/** Must be called first: by default, a signal during the start ends the program. */
export function heedHangups(command: string | undefined): void {
  if (command !== undefined && !services.has(command)) return;
  process.on("SIGHUP", () => {
    if (!isReady) isPending = true;
    for (const action of actions) action();
  });
}

/**
 * Has each SIGHUP call `action`, at once for one that has come already.
 * @returns ends this: without actions, signals are ignored
 */
export function onHangup(action: () => void): () => void {
  actions.add(action);
  isReady = true;
  if (isPending) action();
  isPending = false;
  return () => void actions.delete(action);
}

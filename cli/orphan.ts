/** Milliseconds between two looks whether the parent is still there. */
const LOOK = 500;

/** What npm calls itself in the environment of what `npm start` and `npx` run. */
const launchers: ReadonlySet<string> = new Set(["start", "npx"]);

/** The exit code of a program that SIGTERM ended. */
const TERMINATED = 143;

/**
 * Ends the program as SIGTERM does when npm, which started it, has been killed: npm runs a shell that runs the program,
 * and the shell passes no signal on.
 */
export function endWithNpm(env: NodeJS.ProcessEnv = process.env): void {
  if (!launchers.has(env["npm_lifecycle_event"] ?? "")) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (!isGone(parent)) return;
    clearInterval(timer);
    if (!process.emit("SIGTERM", "SIGTERM")) process.exit(TERMINATED);
  }, LOOK).unref();
}

/** An orphan gets another parent, but for Windows, where the number stays. */
function isGone(parent: number): boolean {
  if (process.platform !== "win32") return process.ppid !== parent;
  try {
    process.kill(parent, 0);
    return false;
  } catch {
    return true;
  }
}

import { endings } from "./signals.ts";

/** The values of npm_lifecycle_event for `npm start` and `npx`. */
const launchers: ReadonlySet<string> = new Set(["start", "npx"]);

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
    if (!process.emit("SIGTERM", "SIGTERM")) process.exit(endings.SIGTERM);
  }, 500).unref();
}

/** An orphan gets another parent; on Windows, the parent's ID stays the same. */
function isGone(parent: number): boolean {
  if (process.platform !== "win32") return process.ppid !== parent;
  try {
    process.kill(parent, 0);
    return false;
  } catch {
    return true;
  }
}

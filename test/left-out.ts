/**
 * Says loudly that a run leaves tests out. In continuous integration, where the variable `CI` is set, that is an error: a
 * test that is skipped unnoticed proves nothing.
 * @param excuse the variable that allows it even there; `.ci/run` sets it where the reason is none of the project's
 * @throws Error naming what is missing
 */
export function leaveOut(what: string, reason: string, excuse?: string): void {
  const isExcused = excuse !== undefined && isSet(process.env[excuse]);
  if (isSet(process.env["CI"]) && !isExcused) throw new Error(`${what} cannot be tested here: ${reason}`);
  process.stderr.write(`SKIPPED: ${what}: ${reason}\n`);
}

/** Excuses tests of what this machine does not allow: control groups, mounts, IPv6, a C compiler. `.ci/run` sets it. */
export const RESTRICTED_MACHINE = "CENSUS_RESTRICTED_MACHINE";

/**
 * Whether there is a reason to skip a test.
 * @throws Error where skipping it is an error, see {@link leaveOut}
 */
export function isLeftOut(what: string, reason: string | undefined, excuse?: string): boolean {
  if (reason === undefined) return false;
  leaveOut(what, reason, excuse);
  return true;
}

/** Whether a variable of the environment is set to a value that means yes. */
export function isSet(value = ""): boolean {
  return !["", "0", "false"].includes(value);
}

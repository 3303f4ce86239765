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

function isSet(value = ""): boolean {
  return !["", "0", "false"].includes(value);
}

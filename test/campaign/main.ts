import { CensusError } from "#storage/errors.ts";

/** Exit codes of campaigns. */
export const exitCode = { ok: 0, found: 1, unusable: 2, impossible: 3 } as const;

/**
 * Runs a campaign as a program: its exit code is what `main` returns, or {@link exitCode.unusable} when it throws.
 * @param name what errors begin with
 */
export async function runMain(name: string, main: (args: readonly string[]) => Promise<number>): Promise<void> {
  // Servers are ended when the process exits.
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(exitCode.unusable));
  try {
    process.exitCode = await main(process.argv.slice(2));
  } catch (error) {
    console.error(error instanceof CensusError ? `${name}: ${error.message}` : error);
    // What is still open, a watch or a server, must not keep the program running.
    process.exit(exitCode.unusable);
  }
}

import { UsageError } from "./errors.ts";

/**
 * Asks before something that cannot be undone.
 * @param where prefix of messages, e.g. `delete:`
 * @param message the question
 * @throws UsageError without a terminal
 */
export async function isConfirmed(where: string, message: string): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) {
    throw new UsageError(`${where} needs --yes when there is no terminal for confirmation`);
  }
  const { confirm } = await import("@clack/prompts");
  return (await confirm({ message, initialValue: false, output: process.stderr })) === true;
}

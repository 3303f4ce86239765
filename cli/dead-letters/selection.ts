import { CensusError } from "#storage/errors.ts";
import type { DeadLetter } from "#storage/queue/dead-letters.ts";
import { commandNames } from "#storage/wire/commands.ts";
import { UsageError } from "../errors.ts";

/** Which letters a command line is about. */
export interface Wanted {
  readonly names: readonly string[];
  readonly all: boolean;
  /** Only letters of this command. */
  readonly command: string | undefined;
}

/**
 * The letters that a user means, in the order in which they are listed.
 * @throws UsageError when the selection is ambiguous; CensusError "not-found" for an unknown name
 */
export function selectLetters(letters: readonly DeadLetter[], { names, all, command }: Wanted): DeadLetter[] {
  if (names.length > 0 && all) throw new UsageError("dead-letters: names and --all cannot be used together");
  if (names.length === 0 && !all) {
    throw new UsageError("dead-letters: no name given; use a name printed by list, or --all");
  }
  const known = new Set(letters.map(({ name }) => name));
  const unknown = names.find((name) => !known.has(name));
  if (unknown !== undefined) throw new CensusError("not-found", `dead letter ${JSON.stringify(unknown)} not found`);
  return ofCommand(letters, command).filter(({ name }) => all || names.includes(name));
}

/**
 * Those of one command, whose name may be written with `_` for its blanks.
 * @throws UsageError when there is no such command
 */
export function ofCommand(letters: readonly DeadLetter[], command: string | undefined): DeadLetter[] {
  if (command === undefined) return [...letters];
  const wanted = command.replaceAll("_", " ");
  if (!commandNames.some((name) => name === wanted)) {
    const known = commandNames.map((name) => name.replaceAll(" ", "_")).join(", ");
    throw new UsageError(`dead-letters: --command must be one of ${known}, not ${JSON.stringify(command)}`);
  }
  return letters.filter((letter) => letter.command === wanted);
}

import { completePql } from "#storage/query/complete/complete.ts";
import { entities } from "#storage/query/entities/index.ts";
import type { SourceCatalogue } from "./catalogue.ts";
import { metaCommands } from "./meta.ts";

/** Replacements for the end of a line, and that end, in the form readline expects. */
export type LineCompletion = [candidates: string[], begun: string];

/**
 * Completes the line that is being typed.
 * @param earlier the earlier lines of the same query
 * @param saved the names of saved queries
 */
export async function completeLine(
  earlier: string,
  line: string,
  catalogue: SourceCatalogue,
  saved: () => readonly string[],
): Promise<LineCompletion> {
  if (earlier === "" && line.startsWith("\\")) return completeMeta(line, catalogue, saved);
  return completeQuery(earlier + line, catalogue);
}

async function completeMeta(
  line: string,
  catalogue: SourceCatalogue,
  saved: () => readonly string[],
): Promise<LineCompletion> {
  const [, name = "", blanks, argument = ""] = /^(\S+)(\s*)([^]*)$/.exec(line) ?? [];
  if (blanks === "")
    return fitting(
      metaCommands.map((command) => command.name),
      name,
    );
  if (name === "\\explain") return completeQuery(argument, catalogue);
  if (name === "\\d") return fitting(Object.keys(entities), argument);
  const command = metaCommands.find((known) => known.name === name);
  return fitting(command?.words?.(saved()) ?? [], argument);
}

async function completeQuery(text: string, catalogue: SourceCatalogue): Promise<LineCompletion> {
  await catalogue.prepare(text, text.length);
  const { start, candidates } = completePql(text, text.length, catalogue);
  return [candidates.map((candidate) => candidate.text), text.slice(start)];
}

function fitting(words: readonly string[], begun: string): LineCompletion {
  return [words.filter((word) => word.startsWith(begun)), begun];
}

import { CensusError } from "#storage/errors.ts";
import type { OpenSource } from "../sources/open-source.ts";
import { type ReadRows, rowReader } from "../sources/read-rows.ts";
import type { QueryText } from "./names-of.ts";
import type { UsedName } from "./used-name.ts";

/**
 * Explains why a query has no rows by the names in it: which ones the source does not have, a line each. The query itself was
 * answered, so that an unknown name is no error, and neither is a source that does not list its names.
 */
export async function whyNothing(query: QueryText, source: OpenSource): Promise<string[]> {
  const { namesOf } = await import("./names-of.ts");
  const lists = remembering(rowReader(source));
  const remarks = new Set<string>();
  for (const name of namesOf(query)) {
    if (remarks.size >= 5) break;
    for (const remark of await remarksOn(name, lists)) remarks.add(remark);
  }
  return [...remarks];
}

/** Prints {@link whyNothing} on stderr. */
export async function printWhyNothing(query: QueryText, source: OpenSource): Promise<void> {
  for (const remark of await whyNothing(query, source)) process.stderr.write(`${remark}\n`);
}

async function remarksOn(name: UsedName, readRows: ReadRows): Promise<readonly string[]> {
  const { checkNames } = await import("./check.ts");
  try {
    const { fullName, remarks } = await checkNames("", [name], readRows);
    if (fullName === undefined || !("text" in name)) return remarks;
    return [`${JSON.stringify(name.text)} is short for ${fullName}; a query needs the full name`, ...remarks];
  } catch (error) {
    if (error instanceof ListFailed) return [];
    if (error instanceof CensusError) return [error.message];
    throw error;
  }
}

/** The source did not answer a query that lists names. */
class ListFailed extends Error {}

/** Reads each list of names once. */
function remembering(readRows: ReadRows): ReadRows {
  const lists = new Map<string, ReturnType<ReadRows>>();
  return (query) => {
    const list =
      lists.get(query) ??
      readRows(query).catch((error: unknown) => {
        throw error instanceof CensusError ? new ListFailed(error.message, { cause: error }) : error;
      });
    lists.set(query, list);
    return list;
  };
}

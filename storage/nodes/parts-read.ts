import { readsPart, STEADY_FACTS, viewTables } from "../engine/table-versions.ts";
import { columnNames } from "./columns.ts";

/** The columns of `nodes` that change whenever rows of some tables that belong to the node do, and what matches these tables. */
const contents: Readonly<Record<string, (sql: string) => boolean>> = {
  facts_steady_digest: (sql) => FACTS.test(sql),
  facts_hash: (sql) => FACTS.test(sql.replaceAll(STEADY_FACTS, "")),
  packages_digest: (sql) => /\bnode_packages\b/.test(sql),
  catalog_hash: (sql) => /\b(?:catalog_resources|catalog_edges)\b/.test(sql),
  inputs_hash: (sql) => /\bcatalog_inputs\b/.test(sql),
};

const FACTS = new RegExp(`\\b(?:${Object.entries(viewTables).flat(2).join("|")})\\b`);

/** Rows of a node of which its own row has nothing. */
const OTHERS = /\b(?:reports|events|history_\w+)\b/;

/**
 * Whether rows that statements make of a node may change when a part of its row does ({@link changedPart}), or what that part is about.
 */
export function partsRead(statements: readonly string[]): (part: string) => boolean {
  const known = new Map<string, boolean>();
  const isRead = (part: string): boolean => {
    const column = columnNames.find((name) => part === name || part.startsWith(`${name} `)) ?? "";
    return statements.some((sql) => OTHERS.test(sql) || contents[column]?.(sql) === true || readsPart(sql, part));
  };
  return (part) => {
    const read = known.get(part) ?? isRead(part);
    known.set(part, read);
    return read;
  };
}

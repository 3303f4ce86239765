import type { JsonObject } from "#storage/json.ts";
import { cellText } from "#storage/output/cells.ts";
import { pathText } from "#storage/diff/values.ts";
import type { ReadRows } from "../sources/read-rows.ts";
import type { ListedKind } from "./used-name.ts";

interface List {
  readonly query: string;
  /** The name in a row of the query. */
  readonly read: (row: JsonObject) => string;
  /** How all of them are listed. */
  readonly command: string;
}

const column =
  (name: string) =>
  (row: JsonObject): string =>
    cellText(row[name]);

const lists: Readonly<Record<Exclude<ListedKind, "certname">, List>> = {
  fact: {
    query: "facts[name, count()] { group by name }",
    read: column("name"),
    command: "census facts",
  },
  class: {
    query: 'resources[title, count()] { type = "Class" group by title }',
    // People write classes as Puppet code has them.
    read: (row) => cellText(row["title"]).toLowerCase(),
    command: "census classes",
  },
  environment: {
    query: "environments[name] { order by name }",
    read: column("name"),
    command: "census query 'environments[name] {}'",
  },
  package: {
    query: "packages[package_name, count()] { group by package_name }",
    read: column("package_name"),
    command: "census packages",
  },
  provider: {
    query: "packages[provider, count()] { group by provider }",
    read: column("provider"),
    command: "census query 'packages[provider, count()] { group by provider }'",
  },
  producer: {
    query: "producers[name] { order by name }",
    read: column("name"),
    command: "census query 'producers[name] {}'",
  },
};

/** How the names of a kind are listed. */
export function listCommand(kind: ListedKind): string {
  return kind === "certname" ? "census nodes --state any" : lists[kind].command;
}

/** All names of a kind. */
export async function knownNames(kind: Exclude<ListedKind, "certname">, readRows: ReadRows): Promise<string[]> {
  const { query, read } = lists[kind];
  return (await readRows(query)).map(read);
}

/** A node, and whether results leave it out. */
export interface KnownNode {
  readonly certname: string;
  /** `deactivated` or `expired`, and since when; undefined: active. */
  readonly inactive: string | undefined;
}

/** All nodes. */
export async function knownNodes(readRows: ReadRows): Promise<KnownNode[]> {
  const rows = await readRows('nodes[certname, deactivated, expired] { node_state = "any" order by certname }');
  return rows.map((row) => {
    const state = ["deactivated", "expired"].find((name) => typeof row[name] === "string");
    return {
      certname: cellText(row["certname"]),
      inactive: state === undefined ? undefined : `${state} since ${cellText(row[state])}`,
    };
  });
}

/** The paths below a fact as people write them, those of maps and lists included. */
export async function knownPaths(fact: string, readRows: ReadRows): Promise<string[]> {
  const rows = await readRows("fact_paths[path] {}");
  const paths = rows.flatMap(({ path }) => (Array.isArray(path) && path[0] === fact ? [path.map(cellText)] : []));
  return [...new Set(paths.flatMap((path) => path.map((_, index) => pathText(path.slice(0, index + 1)))))];
}

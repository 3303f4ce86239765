import type { NodeRow } from "../nodes/columns.ts";
import type { CurrentKind, DocumentHeader } from "./documents.ts";
import { listedColumns, type ListedNode, type NotedNode, notedNothing, stateColumns } from "./origin-node.ts";

/** What differs between the list of a server and what is noted of it. Times are compared by equality only. */
export interface Look {
  /** Nodes whose documents may be others. */
  readonly changed: Readonly<Record<CurrentKind | "report", readonly ListedNode[]>>;
  /** Nodes of which anything differs. */
  readonly differing: readonly ListedNode[];
  /** Names that are noted and not listed. */
  readonly missing: readonly string[];
  /** Nodes that were deleted there and have come back: something is noted that they do not have any more. */
  readonly returned: readonly ListedNode[];
  /** Why nothing may be deleted: too much is missing at once. */
  readonly held: string | undefined;
}

/** At least this many nodes, and more than this part of all, may not disappear at once; nor may all of them. */
const GUARD = { nodes: 20, part: 0.1 };

/**
 * Compares a list of all nodes with what is noted.
 * @param stored the node's row here; undefined: it is not known here any more, whatever is noted
 */
export function compareLists(
  listed: readonly ListedNode[],
  noted: ReadonlyMap<string, NotedNode>,
  stored: (certname: string) => NodeRow | undefined,
): Look {
  const changed = { facts: [], catalog: [], inputs: [], report: [] } as Record<CurrentKind | "report", ListedNode[]>;
  const differing: ListedNode[] = [];
  const returned: ListedNode[] = [];
  const names = new Set<string>();
  for (const node of listed) {
    names.add(node.certname);
    const known = stored(node.certname) === undefined ? undefined : noted.get(node.certname);
    const isBack = known !== undefined && hasReturned(node, known);
    const before = isBack || known === undefined ? notedNothing(node.certname) : known;
    if (isBack) returned.push(node);
    const kinds = kindsOf(node, before);
    for (const kind of kinds) changed[kind].push(node);
    const isOther =
      stateColumns.some((column) => node[column] !== before[column]) || node.report_hash !== before.report_hash;
    if (kinds.length > 0 || isOther || known === undefined || isBack) differing.push(node);
  }
  const missing = [...noted.keys()].filter((name) => !names.has(name));
  const lost = missing.length + returned.length;
  const isTooMuch = (lost >= GUARD.nodes && lost > noted.size * GUARD.part) || missing.length === noted.size;
  const held = lost > 0 && isTooMuch ? `${lost} of ${noted.size} nodes are missing there at once` : undefined;
  return { changed, differing, missing, returned, held };
}

/** Names of nodes that are listed otherwise than they were. */
export function changedNodes(before: readonly ListedNode[], now: readonly ListedNode[]): ReadonlySet<string> {
  const rows = new Map(before.map((node) => [node.certname, node]));
  const others = now.filter((node) =>
    listedColumns.some((column) => node[column] !== rows.get(node.certname)?.[column]),
  );
  return new Set(others.map(({ certname }) => certname));
}

function kindsOf(node: ListedNode, before: NotedNode): (CurrentKind | "report")[] {
  const kinds: (CurrentKind | "report")[] = [];
  if (node.facts_timestamp !== null && node.facts_timestamp !== before.facts_timestamp) kinds.push("facts");
  if (node.catalog_timestamp !== null && node.catalog_timestamp !== before.catalog_timestamp) kinds.push("catalog");
  const hasInputs = node.inputs_produced !== null;
  const isOther = node.inputs_produced !== before.inputs_produced || node.inputs_uuid !== before.inputs_uuid;
  if (hasInputs && isOther) kinds.push("inputs");
  if (node.report_hash !== null && node.report_hash !== before.report_hash) kinds.push("report");
  return kinds;
}

/** Reports are deleted by age, but fact sets and catalogs only with their node. */
function hasReturned(node: ListedNode, noted: NotedNode): boolean {
  return (
    (noted.facts_timestamp !== null && node.facts_timestamp === null) ||
    (noted.catalog_timestamp !== null && node.catalog_timestamp === null)
  );
}

/**
 * What to do with a document whose header was read: `fetch` it; `touch` it, since only what is around its content differs; or `keep`
 * what is stored, which is newer: another server's, or this one's, which went back.
 */
export type Decision = "fetch" | "touch" | "keep";

export function decideDocument(
  { kind, hash, produced }: Pick<DocumentHeader, "kind" | "hash" | "produced">,
  noted: NotedNode | undefined,
  stored: NodeRow | undefined,
): Decision {
  const storedAt = stored?.[`${kind}_producer_timestamp`] ?? null;
  if (storedAt === null) return "fetch";
  if (storedAt > produced) return "keep";
  if (stored?.[`${kind}_hash`] === hash) return "touch";
  const isOurs = noted?.[`${kind}_hash`] === hash && noted[`${kind}_produced`] === storedAt;
  return isOurs ? "touch" : "fetch";
}

/** Whether a node has something newer here than at the only server that has it: that server was restored from a backup. */
export function isAhead(noted: NotedNode, stored: NodeRow | undefined): boolean {
  return (["facts", "catalog"] as const).some((kind) => {
    const [here, there] = [stored?.[`${kind}_producer_timestamp`] ?? null, noted[`${kind}_produced`]];
    // A command that was posted here has microseconds.
    return here !== null && there !== null && here / 1000n > there / 1000n;
  });
}

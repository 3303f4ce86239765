import { isOneOf } from "../engine/rows-of-ids.ts";
import { listText } from "../engine/sql-value.ts";
import type { Transaction } from "../engine/transaction.ts";
import { append } from "../ingest/write/append.ts";
import { isObject, parseJson } from "../json.ts";
import { failuresOf, identityOf, type Failure, type StoredIdentity } from "./failures.ts";
import { Folding } from "./fold.ts";
import { readFailures, type StoredFailure } from "./read.ts";

/** A failure as a row. */
interface FailureRow extends Pick<Failure, "count" | "class" | "place" | "message"> {
  readonly issue: bigint;
  readonly report: StoredFailure;
}

/**
 * Writes the failures of reports, and the issues that they are the first of. The reports are stored, and what their nodes are called
 * is read of their facts. It is the only way in which failures come into a store: after a batch of commands, at the end of an import,
 * and when a store is migrated.
 * @param ids of reports that may have failures, in ascending order
 */
export async function storeFailures(tx: Transaction, ids: readonly bigint[]): Promise<void> {
  for (let at = 0; at < ids.length; at += REPORTS_AT_ONCE) {
    const failed: StoredFailure[] = [];
    for await (const report of readFailures(tx, ids.slice(at, at + REPORTS_AT_ONCE))) failed.push(report);
    await storeSome(tx, failed);
  }
}

const REPORTS_AT_ONCE = 1000;

async function storeSome(tx: Transaction, reports: readonly StoredFailure[]): Promise<void> {
  if (reports.length === 0) return;
  const names = await namesOf(tx, [...new Set(reports.map(({ node }) => node))]);
  const issues = new Map<bigint, StoredIdentity>();
  const rows: FailureRow[] = [];
  for (const report of reports) {
    const folding = new Folding({ certname: report.certname, others: names.get(report.node) ?? [] });
    const ofReport = new Map<bigint, FailureRow>();
    for (const { count, class: name, place, message, ...failure } of failuresOf(report)) {
      const identity = identityOf({ count, class: name, place, message, ...failure }, folding);
      issues.set(identity.id, identity);
      const known = ofReport.get(identity.id);
      const sum = (known?.count ?? 0) + count;
      ofReport.set(identity.id, { issue: identity.id, report, class: name, place, message, ...known, count: sum });
    }
    rows.push(...ofReport.values());
  }
  await append(tx, "issues", await unknownOf(tx, issues), ({ id, common, kind, type, title, message }) => [
    id,
    common,
    kind,
    type,
    title,
    message,
  ]);
  await append(tx, "failures", rows, ({ issue, report, count, class: name, place, message }) => [
    issue,
    report.id,
    report.node,
    report.produced,
    report.environment,
    report.isPlan,
    count,
    name,
    place?.file ?? null,
    place === null || place.line === null ? null : BigInt(place.line),
    message,
  ]);
}

/** Issues that are not stored. */
async function unknownOf(tx: Transaction, issues: ReadonlyMap<bigint, StoredIdentity>): Promise<StoredIdentity[]> {
  const stored = await tx.rows<{ id: bigint }>("SELECT id FROM issues WHERE id IN (SELECT unnest($1::BIGINT[]))", [
    listText(issues.keys()),
  ]);
  const known = new Set(stored.map(({ id }) => id));
  return [...issues.values()].filter(({ id }) => !known.has(id));
}

/** Facts with the names and the addresses of a node. */
const facts = ["hostname", "fqdn", "ipaddress", "ipaddress6"] as const;

/** The same in the fact `networking`. */
const ofNetworking = ["hostname", "fqdn", "ip", "ip6"] as const;

/** Names and addresses of nodes, by the ids of the nodes. */
async function namesOf(tx: Transaction, nodes: readonly number[]): Promise<Map<number, string[]>> {
  const networking = ofNetworking.map((name) => `'${name}': value->'$.${name}'`).join(", ");
  const rows = await tx.rows<{ node: number; list: string }>(
    `SELECT node_id AS node, '[' || string_agg(CASE name WHEN 'networking' THEN to_json({${networking}})::VARCHAR ELSE value END, ',') || ']' AS list
     FROM facts WHERE name IN (${["networking", ...facts].map((name) => `'${name}'`).join(", ")}) AND ${isOneOf("node_id", nodes)}
     GROUP BY node_id`,
  );
  return new Map(
    rows.map(({ node, list }) => {
      const values = parseJson(list);
      const flat = (Array.isArray(values) ? values : []).flatMap((value) =>
        isObject(value) ? Object.values(value) : [value],
      );
      return [node, flat.filter((value) => typeof value === "string")];
    }),
  );
}

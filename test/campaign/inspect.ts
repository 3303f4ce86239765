import { setTimeout as delay } from "node:timers/promises";
import { openMembers } from "#storage/archive/members.ts";
import { Connection } from "./http.ts";
import type { Stored } from "./ledger.ts";

/** Milliseconds in which a server that was started has to have stored everything in its queue. */
const SETTLING = 120_000;

/**
 * Waits until a server reports that it runs and has nothing in its queue.
 * @param settling milliseconds that this may take
 * @throws Error with its status when that takes too long, or when it reports a problem that does not pass by itself
 */
export async function settle(url: string, settling = SETTLING): Promise<void> {
  using connection = new Connection(url);
  let last = "";
  for (const started = Date.now(); Date.now() - started < settling; await delay(25)) {
    const { status, text } = await connection.send("GET", "/status/v1/services/puppetdb-status");
    last = text;
    const isIdle = /"queue_depth"\s*:\s*0\b/.test(text);
    if (status === 200 && isIdle && /"state"\s*:\s*"running"/.test(text)) return;
    if (/"problem"\s*:/.test(text)) throw new Error(`it reports a problem: ${text.slice(0, 600)}`);
  }
  throw new Error(`its status after ${settling / 1000} s is ${last.slice(0, 600)}`);
}

interface Counted {
  readonly certname: string;
  readonly count: number;
}

/** Reads back what a server holds. */
export async function storedIn(url: string): Promise<Stored> {
  using connection = new Connection(url);
  const byNode = ["extract", ["certname", ["function", "count"]], ["~", "certname", "."], ["group_by", "certname"]];
  type Report = { hash: string; transaction_uuid: string; certname: string };
  const reports = await connection.rows<Report>("reports", ["extract", ["hash", "transaction_uuid", "certname"]]);
  type Events = { report: string; count: number };
  const byReport = ["extract", ["report", ["function", "count"]], ["~", "certname", "."], ["group_by", "report"]];
  const events = new Map(
    (await connection.rows<Events>("events", byReport)).map(({ report, count }) => [report, count]),
  );
  type Fact = { certname: string; value: number };
  const facts = await connection.rows<Fact>("facts", ["extract", ["certname", "value"], ["=", "name", "number"]]);
  const resources = countsOf(await connection.rows<Counted>("resources", byNode));
  const edges = countsOf(await connection.rows<Counted>("edges", byNode));
  type Catalog = { certname: string; version: string };
  const catalogs = await connection.rows<Catalog>("catalogs", ["extract", ["certname", "version"]]);
  return {
    reports: reports.map(({ hash, transaction_uuid: transaction, certname }) => ({
      transaction,
      certname,
      events: events.get(hash) ?? 0,
    })),
    facts: new Map(facts.map(({ certname, value }) => [certname, value])),
    catalogs: new Map(
      catalogs.map(({ certname, version }) => [
        certname,
        { number: Number(version), resources: resources.get(certname) ?? 0, edges: edges.get(certname) ?? 0 },
      ]),
    ),
  };
}

function countsOf(rows: readonly Counted[]): ReadonlyMap<string, number> {
  return new Map(rows.map(({ certname, count }) => [certname, count]));
}

interface Member {
  readonly certname: string;
  readonly transaction_uuid?: string;
  readonly version?: string;
  readonly resources?: { readonly data?: readonly { readonly events?: unknown }[] } | readonly unknown[];
  readonly edges?: { readonly data?: readonly unknown[] } | readonly unknown[];
  readonly values?: { readonly number?: number };
}

/** Reads what an export holds. */
export async function storedInExport(archive: string): Promise<Stored> {
  const reports: Stored["reports"][number][] = [];
  const facts = new Map<string, number>();
  const catalogs = new Map<string, { number: number; resources: number; edges: number }>();
  for await (const { name, body } of openMembers(archive)) {
    const folder = name.split("/").at(-2);
    if (!["reports", "facts", "catalogs"].includes(folder ?? "")) continue;
    const member = JSON.parse(body.toString()) as Member;
    const { certname, transaction_uuid: transaction = "", version, values } = member;
    if (folder === "reports") reports.push({ transaction, certname, events: eventsIn(listOf(member.resources)) });
    else if (folder === "facts" && values?.number !== undefined) facts.set(certname, values.number);
    else if (folder === "catalogs") {
      const [resources, edges] = [listOf(member.resources).length, listOf(member.edges).length];
      catalogs.set(certname, { number: Number(version), resources, edges });
    }
  }
  return { reports, facts, catalogs };
}

function listOf(value: Member["resources"] | Member["edges"]): readonly unknown[] {
  if (value === undefined) return [];
  return "length" in value ? value : (value.data ?? []);
}

/** A skipped resource has one event, which the store makes and an export leaves out. */
function eventsIn(resources: readonly unknown[]): number {
  return resources.reduce<number>((sum, resource) => {
    const { skipped, events } = resource as { skipped?: boolean; events?: Member["edges"] };
    return sum + (skipped === true ? 1 : listOf(events).length);
  }, 0);
}

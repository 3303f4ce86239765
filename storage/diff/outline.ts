import { type Json, type JsonObject, parseJson } from "../json.ts";
import { compareBytewise } from "../bytewise.ts";
import { type DiffPart } from "./parts.ts";
import { oneOf, queryOf, type Side } from "./side.ts";

/** The metadata of a node. */
export interface Outline {
  readonly certname: string;
  /** The compared values: its state, and under `factset`, `catalog` and `report` the metadata of these. */
  readonly summary: JsonObject;
  /** Null where there is no document. */
  readonly factsHash: DocumentHash | null;
  readonly catalogHash: DocumentHash | null;
  readonly reportHash: string | null;
}

/** The hash of a document, or that it has none: facts of a past time. */
export type DocumentHash = string | typeof UNKNOWN;
const UNKNOWN = Symbol("unknown");

/** Whether two documents have the same content for sure, or neither exists. */
export function isSameDocument(one: DocumentHash | null, other: DocumentHash | null): boolean {
  return one === other && one !== UNKNOWN;
}

/** The compared values, and the nodes. */
export interface Scope {
  readonly parts: ReadonlySet<DiffPart>;
  /** Only these; absent: all. */
  readonly certnames?: readonly string[];
}

/** A kind of document that a node has at most one of, with its compared fields. */
interface Document {
  readonly key: "factset" | "catalog";
  readonly entity: string;
  readonly fields: readonly string[];
  readonly parts: readonly DiffPart[];
}

const documents: readonly Document[] = [
  { key: "factset", entity: "factsets", fields: ["environment", "producer"], parts: ["facts"] },
  {
    key: "catalog",
    entity: "catalogs",
    fields: ["environment", "producer", "version", "code_id"],
    parts: ["resources", "edges"],
  },
];

/** Fields of `nodes` about the latest report, by their names in the report. */
const reportFields = {
  status: "latest_report_status",
  environment: "report_environment",
  noop: "latest_report_noop",
  noop_pending: "latest_report_noop_pending",
  corrective_change: "latest_report_corrective_change",
  cached_catalog_status: "cached_catalog_status",
} as const;

/** All nodes of a side in bytewise order of their certnames; in bounded memory if the store has this order itself. */
export async function* outlines(side: Side, { parts, certnames }: Scope): AsyncGenerator<Outline> {
  const condition = certnames === undefined ? undefined : oneOf("certname", certnames);
  const wanted = documents.filter((document) => document.parts.some((part) => parts.has(part)));
  const ordered = (entity: string, fields: readonly string[]): Lookahead =>
    new Lookahead(inOrder(side, queryOf(entity, ["certname", ...fields], condition, "certname")));
  const reported = Object.values(reportFields);
  const nodes = inOrder(
    side,
    queryOf("nodes", ["certname", "deactivated", "expired", "latest_report_hash", ...reported], condition, "certname"),
  );
  const rows = wanted.map(({ entity, fields }) => ordered(entity, ["hash", ...fields]));
  try {
    for await (const node of nodes) {
      const found: Found = {};
      for (const [index, { key }] of wanted.entries()) found[key] = await rows[index]?.at(node.certname);
      yield outlineOf(node, found, parts.has("reports"));
    }
  } finally {
    for (const row of rows) await row.close();
  }
}

type Row = JsonObject & { readonly certname: string };

/** The metadata of each of a node's documents. */
type Found = Partial<Record<Document["key"], Row | undefined>>;

function outlineOf(node: Row, { factset, catalog }: Found, withReport: boolean): Outline {
  const report = withReport ? optionalText(node["latest_report_hash"]) : null;
  const state = node["deactivated"] !== null ? "deactivated" : node["expired"] === null ? "active" : "expired";
  const summary: JsonObject = { state };
  for (const [key, row] of Object.entries({ factset, catalog })) {
    if (row !== undefined) summary[key] = without(row, ["certname", "hash"]);
  }
  if (report !== null) {
    const fields = Object.entries(reportFields).map(([name, field]) => [name, node[field] ?? null]);
    summary["report"] = Object.fromEntries(fields) as JsonObject;
  }
  return {
    certname: node.certname,
    summary,
    factsHash: hashOf(factset),
    catalogHash: hashOf(catalog),
    reportHash: report,
  };
}

function hashOf(document: Row | undefined): DocumentHash | null {
  return document === undefined ? null : (optionalText(document["hash"]) ?? UNKNOWN);
}

function without(row: JsonObject, keys: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(row).filter(([key]) => !keys.includes(key)));
}

function optionalText(value: Json | undefined): string | null {
  return typeof value === "string" ? value : null;
}

async function* inOrder(side: Side, query: Json): AsyncGenerator<Row> {
  if (side.isBytewise) {
    for await (const batch of side.query(query)) for (const text of batch) yield parseJson(text) as Row;
    return;
  }
  const rows: Row[] = [];
  for await (const batch of side.query(query)) rows.push(...batch.map((text) => parseJson(text) as Row));
  yield* rows.sort((a, b) => compareBytewise(a.certname, b.certname));
}

/** Rows in the order of their certnames, some of which are looked up in the same order. */
class Lookahead {
  readonly #rows: AsyncGenerator<Row>;
  #next: Row | undefined;
  #begun = false;

  constructor(rows: AsyncGenerator<Row>) {
    this.#rows = rows;
  }

  /** The row of this certname; those before it are skipped. */
  async at(certname: string): Promise<Row | undefined> {
    if (!this.#begun) await this.#advance();
    while (this.#next !== undefined && compareBytewise(this.#next.certname, certname) < 0) await this.#advance();
    return this.#next?.certname === certname ? this.#next : undefined;
  }

  async close(): Promise<void> {
    await this.#rows.return(undefined);
  }

  async #advance(): Promise<void> {
    this.#begun = true;
    const { value, done } = await this.#rows.next();
    this.#next = done === true ? undefined : value;
  }
}

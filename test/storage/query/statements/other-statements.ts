import { silenceAt } from "#storage/states/node-state.ts";
import type { ReadableDatabase } from "#storage/engine/overlaid.ts";
import type { Statement } from "#storage/engine/statements.ts";
import { parseJson } from "#storage/json.ts";
import type { NodeIndex } from "#storage/nodes/node-index.ts";
import { compileFacets } from "#storage/query/compile/facets.ts";
import type { CompileContext } from "#storage/query/compile/statement.ts";
import { containingTexts } from "#storage/query/containing-texts.ts";
import { type FacetsSpec, facetSelection } from "#storage/query/facets/facets.ts";
import { type HistogramSpec, readHistogram } from "#storage/query/histogram/histogram.ts";
import { optionalData } from "#storage/query/optional-data.ts";
import { parentExists } from "#storage/query/parents.ts";
import { planNodes, planQuery, type QuerySpec } from "#storage/query/query.ts";
import { readDocument } from "#storage/query/report-document.ts";
import { stateOverview } from "#storage/query/state-overview.ts";
import { viewStatements } from "#storage/sql/views.ts";
import { benchQueries, pastBenchQueries } from "#test/bench/queries.ts";
import { planOf } from "#test/bench/query-request.ts";
import { queries } from "./other-queries.ts";
import { plansOfRequest } from "./request-plans.ts";
import { context, type NamedStatement } from "./statement-list.ts";

const silence = silenceAt(Date.parse("2026-11-20T12:00:00Z"), 0);

/** The statements that no recorded request has. */
export async function otherStatements(): Promise<NamedStatement[]> {
  return [
    ...[...new Set([...benchQueries, ...pastBenchQueries])].map((query) =>
      named(`benchmark: ${query.name}, ${query.shows}`, planOf(query, context).rows),
    ),
    ...queries.map((text) => named(shortened(text), planQuery({ of: "root", ...queryOf(text) }, context).rows)),
    named("reports with duration", planQuery(withDuration, context).rows),
    ...contexts.flatMap(ofContext),
    ...counts.flatMap(({ what, target, more }) =>
      plansOfRequest({ target }, { ...context, ...more }).flatMap(({ rows, total }) => [
        named(`${what}: ${target}`, rows),
        named(`${what}, total: ${target}`, total()),
      ]),
    ),
    ...totals.map((pql) => named(`total of ${pql}`, planQuery({ of: "root", pql }, context).total())),
    named("numbers of nodes{}", planNodes({ pql: "nodes{}" }, context).rows),
    ...parts.flatMap(inParts),
    ...facets.map((spec) => named(`facets ${shown(spec)}`, compileFacets(facetSelection(spec), context))),
    ...histograms.map((spec) => named(`histogram ${shown(spec)}`, readHistogram(spec).plan(context).rows)),
    ...(["titles", "parameters", "values", "logs"] as const).map((texts) =>
      named(`texts: ${texts}`, containingTexts(texts, ["one", "two"])),
    ),
    ...(await fixedStatements()),
    ...viewStatements("store").map((sql) => named(`view ${/VIEW "(\w+)"/.exec(sql)?.[1] ?? "search path"}`, { sql })),
  ];
}

const withDuration: QuerySpec = {
  of: "root",
  pql: "reports[duration]{ duration > 1 }",
};

function queryOf(text: string): Pick<QuerySpec, "query" | "pql"> {
  return text.startsWith("[") ? { query: parseJson(text) } : { pql: text };
}

function shortened(name: string): string {
  return name.length > 240 ? `${name.slice(0, 240)}…` : name;
}

function named(name: string, { sql }: Pick<Statement, "sql">): NamedStatement {
  return { name, statement: { sql } };
}

function shown(of: object): string {
  return JSON.stringify(of, (key, value: unknown) => (key === "silence" || key === "limits" ? undefined : value));
}

interface InContext {
  readonly what: string;
  /** PQL, or the text of an AST. */
  readonly texts: readonly string[];
  readonly of: CompileContext;
}

/** Statements that depend on what is in memory and on settings. */
const contexts: readonly InContext[] = [
  {
    what: "nodes not in memory",
    texts: ['facts{ certname = "a" and name = "b" }', 'inventory[facts.a]{ certname = "a" }', "resources{ limit 3 }"],
    of: { purgeHorizon: 0n },
  },
  {
    what: "ordered pages",
    texts: [
      "events{ limit 1 }",
      "facts{ limit 1 offset 2 }",
      '["from","nodes",["extract",["report_environment",["function","count"]],["group_by","report_environment"]],["limit",1]]',
    ],
    of: { ...context, ordersPages: true },
  },
  { what: "past state", texts: ["resources{}", "edges{}"], of: { ...context, dictionaries: { nodes: "past_nodes" } } },
];

function ofContext({ what, texts, of }: InContext): NamedStatement[] {
  return texts.map((text) => named(`${what}: ${text}`, planQuery({ of: "root", ...queryOf(text) }, of).rows));
}

const counts = [
  {
    what: "corrective changes apart",
    target: '/pdb/query/v4/event-counts?query=["~","certname","."]&summarize_by=resource&count_by=certname',
    more: { countsCorrective: true },
  },
  {
    what: "ordered pages",
    target: '/pdb/query/v4/event-counts?summarize_by=containing_class&limit=3&counts_filter=[">","failures",1]',
    more: { ordersPages: true },
  },
  { what: "all types", target: "/pdb/query/v4/aggregate-event-counts?summarize_by=resource", more: {} },
] as const;

const totals = [
  "nodes{}",
  'resources{ type = "File" limit 2 }',
  "facts[name, count()]{ group by name }",
  "reports[count()]{}",
];

const parts: readonly QuerySpec[] = [
  { of: "root", pql: "factsets{}" },
  { of: "root", pql: "factsets{}", options: { includePackageInventory: true } },
  { of: "root", pql: "inventory{}" },
  { of: "root", pql: "catalogs{}" },
  { of: "root", query: ["from", "catalog_inputs"] },
  { of: "root", pql: "reports{ limit 3 order by hash }" },
  { of: "root", pql: "reports[resource_events]{}" },
  { of: "root", pql: 'events{ status = "failure" }' },
  { of: "root", pql: 'facts{ name = "a" }' },
  { of: "root", pql: "fact_contents{}" },
  { of: "root", pql: 'resources{ parameters.ensure = "present" }' },
  { of: "root", query: ["from", "catalog_input_contents"] },
  { of: "root", pql: "nodes{}", options: { includeFactsExpiration: true } },
];

function inParts(spec: QuerySpec): NamedStatement[] {
  const what = `in parts ${shown(spec)}`;
  const made = planQuery(spec, context).inParts?.();
  if (made === undefined) throw new Error(`${what}: not in parts`);
  const lists = made.listsOf?.("1");
  return [
    named(`${what}, keys`, made.keys),
    ...(made.sizes === undefined ? [] : [named(`${what}, sizes`, { sql: made.sizes })]),
    named(`${what}, rows`, made.rowsOf(["1", "3"])),
    ...(lists === undefined ? [] : [named(`${what}, columns of a row`, lists.columns)]),
    ...(lists?.parts ?? []).flatMap((part, index) =>
      typeof part === "object" ? [named(`${what}, list ${index}`, part.elements)] : [],
    ),
  ];
}

const counting = { filters: [], limit: 10, silence };

/** The explorer's, and others with what a facet may have. */
const facets: readonly FacetsSpec[] = [
  {
    ...counting,
    pql: "nodes{}",
    facets: [["state"], ["report_environment"], ["facts.os.family"], ["catalogs.producer"]],
  },
  {
    ...counting,
    pql: "nodes{}",
    facets: [["state"], ["facts.os.family", "state"]],
    filters: [
      { field: "state", value: "failed", excludes: false },
      { field: "facts.os.family", value: "Debian", excludes: true },
      { field: "facts.a", value: null, excludes: false },
    ],
  },
  { ...counting, pql: "nodes{}", facets: [] },
  { ...counting, pql: "nodes{}", facets: [], per: "report_environment" },
  { ...counting, pql: "resources{}", facets: [["type"]], distinct: "certname" },
  { ...counting, pql: 'resources{ type = "File" }', facets: [["title"]], per: "certname", limit: 2 },
  { ...counting, pql: "resources{}", facets: [["type", "title"]], per: "certname" },
  { ...counting, pql: "resources{}", facets: [["tags"], ["parameters.ensure"], ["line"], ["exported"]] },
  { ...counting, pql: "resources{}", facets: [["tags"]], filters: [{ field: "tags", value: null, excludes: false }] },
  { ...counting, pql: 'resources{ title = "a" }', facets: [["parameters.content"]], like: "B" },
  { ...counting, pql: 'fact_contents{ path = ["a"] }', facets: [["value"]], distinct: "certname" },
  { ...counting, pql: "fact_contents{}", facets: [["path"], ["value"]], like: "a" },
  { ...counting, pql: "facts{}", facets: [["name"]], distinct: "value", limit: 3 },
  { ...counting, pql: 'facts{ name = "a" }', facets: [["value"]], like: "b", per: "value" },
  { ...counting, pql: "fact_paths{}", facets: [["path"], ["depth"]] },
  { ...counting, pql: "reports{}", facets: [["end_time"], ["noop"]], like: "2026" },
  {
    ...counting,
    pql: "reports{}",
    facets: [["end_time"]],
    filters: [{ field: "end_time", value: "2026-11-20T12:00:00.000Z", excludes: false }],
  },
  { ...counting, pql: "events{}", facets: [["message"], ["new_value"], ["containment_path"]] },
  { ...counting, pql: "inventory{}", facets: [["facts.os.family"]], like: "deb" },
  { ...counting, query: ["from", "catalog_inputs"], facets: [["inputs"]] },
  { ...counting, pql: "package_inventory{}", facets: [["package_name", "provider"]], distinct: "version" },
];

const histograms: readonly HistogramSpec[] = [
  { pql: "reports{}", field: "receive_time", by: "status", from: 0, to: 86_400_000, buckets: 24, zone: "UTC" },
  { pql: "reports{}", field: "start_time", from: 0, to: 3_600_000, buckets: 10, zone: "Europe/Berlin" },
  ...(["nodes", "duration"] as const).map((measure) => ({
    pql: "reports{}",
    field: "producer_timestamp",
    ...(measure === "nodes" ? { by: "status" } : {}),
    measure,
    from: 0,
    to: 86_400_000,
    buckets: 24,
    zone: "UTC",
  })),
  {
    pql: 'events{ status = "failure" }',
    field: "timestamp",
    by: "containing_class",
    from: 0,
    to: 3_600_000,
    buckets: 10,
    zone: "UTC",
  },
  { pql: "factsets{}", field: "timestamp", by: "producer_timestamp", from: 0, to: 3_600_000, buckets: 3, zone: "UTC" },
  { query: ["from", "fact_changes"], field: "from", by: "before", from: 0, to: 3_600_000, buckets: 3, zone: "UTC" },
];

/** Statements that are read of a database that is none. */
async function fixedStatements(): Promise<NamedStatement[]> {
  const read: string[] = [];
  const database = {
    rows: (sql: string) => {
      read.push(sql);
      return Promise.resolve([]);
    },
  } as unknown as ReadableDatabase;
  const nodes = { idOf: () => undefined } as unknown as NodeIndex;
  await stateOverview(database, 0n);
  await optionalData(database);
  await readDocument(database, "hash", "logs");
  await parentExists(database, "factset", "name", nodes);
  const names = ["state overview", "optional data", "document of a report", "parent"];
  return read.map((sql, index) => named(names[index] ?? "", { sql }));
}

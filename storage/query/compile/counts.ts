import { quotedText } from "../../engine/quoted-text.ts";
import type { CompiledStatement } from "../compiled-statement.ts";
import type { Comparison } from "../operators.ts";
import type { Selection } from "../tree.ts";
import { whereSql } from "./conditions.ts";
import { jsonTextOf } from "./json-rows.ts";
import { type CompileContext, Scope } from "./scope.ts";
import { duckdb } from "../dialect/duckdb.ts";

/** What events are summarized by, and the columns of a group. */
export const summaries = {
  certname: ["certname"],
  containing_class: ["containing_class"],
  resource: ["resource_type", "resource_title"],
} as const;

export type Summary = keyof typeof summaries;

/**
 * The counts of each group: the SQL condition on an event by the name of the count, in the order of the keys in a
 * response.
 */
export type CountedEvents = Readonly<Record<string, string>>;

const anyway: CountedEvents = { failures: "status = 'failure'", skips: "status = 'skipped'" };

const counted: CountedEvents = {
  ...anyway,
  successes: "status = 'success'",
  noops: "status = 'noop'",
};

/** The counts of Puppet Enterprise, which stores `corrective_change` (`reference/query.md §8`). */
const countedApart: CountedEvents = {
  ...anyway,
  intentional_successes: "status = 'success' AND corrective_change IS NOT TRUE",
  corrective_successes: "status = 'success' AND corrective_change",
  intentional_noops: "status = 'noop' AND corrective_change IS NOT TRUE",
  corrective_noops: "status = 'noop' AND corrective_change",
};

/** The counts in this context. */
export function countedEvents({ countsCorrective = false }: Pick<CompileContext, "countsCorrective">): CountedEvents {
  return countsCorrective ? countedApart : counted;
}

export interface Counts {
  /** The events, with a filter and without columns. */
  readonly events: Selection;
  readonly summarizeBy: Summary;
  /** `certname` counts each node once per status and group, `resource` each event. */
  readonly countBy: "certname" | "resource";
  readonly filter: {
    /** {@link Comparison.sql} */
    readonly compare: NonNullable<Comparison["sql"]>;
    readonly field: string;
    readonly value: number;
  } | null;
}

export interface CountsPaging {
  readonly orderBy: readonly { readonly column: string; readonly descending: boolean }[];
  readonly limit?: bigint;
  readonly offset?: bigint;
}

/** One row per group (`reference/query.md §8`). */
export function compileCounts(counts: Counts, paging: CountsPaging, context: CompileContext): CompiledStatement {
  const scope = Scope.of(counts.events.entity, context);
  const groups = groupsSql(scope, counts);
  const orders = paging.orderBy.map(
    ({ column, descending }) => `${column} ${descending ? "DESC NULLS FIRST" : "ASC NULLS LAST"}`,
  );
  const order = orders.length === 0 ? "" : ` ORDER BY ${orders.join(", ")}`;
  const limit = paging.limit === undefined ? "" : ` LIMIT ${paging.limit}`;
  const offset = paging.offset === undefined ? "" : ` OFFSET ${paging.offset}`;
  const names = Object.keys(countedEvents(context));
  const row = rowSql(counts.summarizeBy, names);
  return scope.statement(`SELECT ${row} FROM (${groups}${order}${limit}${offset})`);
}

export function compileCountsTotal(counts: Counts, context: CompileContext): CompiledStatement {
  const scope = Scope.of(counts.events.entity, context);
  return scope.statement(`SELECT ${duckdb.values.cast("count(*)", "text")} FROM (${groupsSql(scope, counts)})`);
}

/** One row over all groups: for each status, how many groups have it. */
export function compileAggregate(counts: Counts, context: CompileContext): CompiledStatement {
  const scope = Scope.of(counts.events.entity, context);
  const members = Object.keys(countedEvents(context))
    .map((name) => `'"${name}":', count(*) FILTER (WHERE ${name} > 0)`)
    .join(", ',', ");
  const head = quotedText(`{"summarize_by":${JSON.stringify(counts.summarizeBy)},`);
  return scope.statement(
    `SELECT concat(${head}, ${members}, ',"total":', count(*), '}') FROM (${groupsSql(scope, counts)})`,
  );
}

function groupsSql(scope: Scope, { events, summarizeBy, countBy, filter }: Counts): string {
  const fieldSql = (name: string): string => {
    const field = events.entity.fields[name];
    if (field === undefined) throw new Error(`events have no ${name}`);
    return scope.use(field.sql);
  };
  const columns = summaries[summarizeBy];
  const kinds = countedEvents(scope.context);
  const corrective = scope.context.countsCorrective === true ? ["corrective_change"] : [];
  const wanted = [...new Set([...(countBy === "certname" ? ["certname"] : []), ...columns, "status", ...corrective])];
  const selected = wanted.map((name) => `${fieldSql(name)} AS ${name}`).join(", ");
  const where = whereSql(scope, events);
  const rows = `SELECT ${countBy === "certname" ? "DISTINCT " : ""}${selected} ${scope.from()}${where}`;
  const sums = Object.entries(kinds).map(([name, condition]) => `count(*) FILTER (WHERE ${condition}) AS ${name}`);
  const having = filter === null ? "" : ` HAVING ${filter.compare(filter.field, scope.value(filter.value))}`;
  return `SELECT ${[...sums, ...columns].join(", ")} FROM (${rows}) GROUP BY ${columns.join(", ")}${having}`;
}

/** SQL of a row's text: the counts in their order, then the subject. */
function rowSql(summarizeBy: Summary, names: readonly string[]): string {
  const subjects = summaries[summarizeBy];
  const heads = subjects.length === 1 ? ['"title":'] : ['"type":', ',"title":'];
  const parts = [
    ...names.flatMap((name, index) => [
      quotedText(`${index === 0 ? "{" : ","}"${name}":`),
      jsonTextOf("numeric", name),
    ]),
    quotedText(`,"subject_type":"${summarizeBy}","subject":{`),
    ...subjects.flatMap((name, index) => [quotedText(heads[index] ?? ""), jsonTextOf("string", name)]),
    quotedText("}}"),
  ];
  return `concat(${parts.join(", ")})`;
}

import type { Statement } from "../../engine/statements.ts";
import type { FacetField } from "../facets/field.ts";
import type { Condition, Selection } from "../tree.ts";
import { conditionSql, whereSql } from "./conditions.ts";
import { inListSql } from "./dialect.ts";
import { facetColumn, type FacetColumn } from "./facet-columns.ts";
import { type CompileContext, Scope } from "./scope.ts";

/** Facets of the rows of a selection, as they are compiled. */
export interface FacetSelection {
  /** Its columns are not looked at. */
  readonly rows: Selection;
  /** Each with its fields, of which at most one is a list. */
  readonly facets: readonly (readonly FacetField[])[];
  /** One for each field that is filtered. */
  readonly filters: readonly FieldFilter[];
  /** Values of a facet, at most. */
  readonly limit: number;
  /** Values without this text are left out, in whatever case. */
  readonly like?: string;
  /** What is counted are distinct values of this, rather than rows. */
  readonly per?: FacetField;
  /** Each value has the number of distinct values of this. */
  readonly distinct?: FacetField;
}

export interface FieldFilter {
  readonly field: string;
  /** A condition, or the names of cases ({@link FacetField}). */
  readonly leaves: Condition | { readonly of: FacetField; readonly cases: readonly string[] };
}

/** Longer values (characters of their JSON text) are counted among the others: nobody picks one from a list. */
const LONGEST_VALUE = 4096;

/**
 * One statement over one state of the store. Its rows are JSON texts: `{"facet":n,"of":{…}}` for each facet, and
 * `{"total":n}`, in no order.
 */
export function compileFacets(wanted: FacetSelection, context: CompileContext): Statement {
  const scope = Scope.of(wanted.rows.entity, context);
  const base = new Base(scope, wanted);
  const groups = wanted.facets.map((fields, index) => new Groups(scope, wanted, base, fields, index));
  const results = [base.total(), ...groups.map((group) => group.result())];
  const tables = [base.table(groups.length + 1), ...groups.map((group) => group.table())];
  return scope.statement(`WITH ${tables.join(", ")} ${results.join(" UNION ALL ")}`);
}

/** The rows that facets are counted over, with a column for each field and each filter that only some of them apply. */
class Base {
  readonly #scope: Scope;
  readonly #rows: Selection;
  readonly #columns = new Map<string, FacetColumn & { readonly index: number }>();
  readonly #select: string[] = [];
  /** SQL of filters that are columns here, by the field that they are of. */
  readonly #flags = new Map<string, string>();
  readonly #conditions: string[] = [];
  readonly #isPer: boolean;

  constructor(scope: Scope, { rows, facets, filters, per, distinct }: FacetSelection) {
    this.#scope = scope;
    this.#rows = rows;
    this.#isPer = per !== undefined;
    if (per !== undefined) this.#select.push(`${countedSql(scope, per)} AS per`);
    if (distinct !== undefined) this.#select.push(`${countedSql(scope, distinct)} AS distinct_of`);
    const own = new Set(facets.flat().map(({ name }) => name));
    for (const { field, leaves } of filters) {
      const condition = `coalesce(${filterSql(scope, leaves)}, false)`;
      if (!own.has(field)) {
        this.#conditions.push(condition);
        continue;
      }
      const flag = `f${this.#flags.size}`;
      this.#flags.set(field, flag);
      this.#select.push(`${condition} AS ${flag}`);
    }
  }

  /** The column of a field: its key is `k<index>`, its value `v<index>` where it has one. */
  column(field: FacetField): FacetColumn & { readonly index: number } {
    let column = this.#columns.get(field.name);
    if (column === undefined) {
      const index = this.#columns.size;
      column = { ...facetColumn(this.#scope, field), index };
      this.#columns.set(field.name, column);
      this.#select.push(`${column.key} AS k${index}`);
      if (column.value !== undefined) this.#select.push(`${column.value} AS v${index}`);
    }
    return column;
  }

  /** WHERE of the filters but those of some fields; empty when there are none. */
  where(without: readonly string[] = []): string {
    const flags = [...this.#flags].flatMap(([field, flag]) => (without.includes(field) ? [] : [flag]));
    return flags.length === 0 ? "" : ` WHERE ${flags.join(" AND ")}`;
  }

  /** @param uses how often the statement reads it */
  table(uses: number): string {
    const select = this.#select.join(", ") || "1";
    const where = whereSql(this.#scope, this.#rows);
    const more = this.#conditions.join(" AND ");
    const conditions = more === "" ? where : where === "" ? ` WHERE ${more}` : `${where} AND ${more}`;
    const kept = uses > 1 ? "AS MATERIALIZED" : "AS";
    return `base ${kept} (SELECT ${select} ${this.#scope.from()}${conditions})`;
  }

  total(): string {
    return `SELECT concat('{"total":', ${this.#isPer ? "count(DISTINCT per)" : "count(*)"}, '}') FROM base${this.where()}`;
  }
}

/** What is counted once however often it occurs. A node is told by its number. */
function countedSql(scope: Scope, field: FacetField): string {
  const node = field.kind === "field" ? field.ref.field.node : undefined;
  return node === undefined ? facetColumn(scope, field).key : scope.use(node);
}

function filterSql(scope: Scope, leaves: FieldFilter["leaves"]): string {
  if ("cases" in leaves) return inListSql(scope, facetColumn(scope, leaves.of).key, leaves.cases);
  return conditionSql(scope, leaves);
}

/** The values of a facet with their counts, most frequent first. */
class Groups {
  readonly #scope: Scope;
  readonly #wanted: FacetSelection;
  readonly #base: Base;
  readonly #fields: readonly FacetField[];
  readonly #index: number;
  readonly #columns: readonly (FacetColumn & { readonly index: number })[];

  constructor(scope: Scope, wanted: FacetSelection, base: Base, fields: readonly FacetField[], index: number) {
    this.#scope = scope;
    this.#wanted = wanted;
    this.#base = base;
    this.#fields = fields;
    this.#index = index;
    this.#columns = fields.map((field) => base.column(field));
  }

  table(): string {
    const keys = this.#columns.map(({ index }) => `k${index}`);
    const values = this.#columns.flatMap(({ index, value }) =>
      value === undefined ? [] : [`any_value(v${index}) AS v${index}`],
    );
    const { per, distinct } = this.#wanted;
    const counts = [
      `${per === undefined ? "count(*)" : "count(DISTINCT per)"} AS n`,
      ...(distinct === undefined ? [] : ["count(DISTINCT distinct_of) AS d"]),
    ];
    const select = [...keys, ...values, ...counts].join(", ");
    return `g${this.#index} AS MATERIALIZED (SELECT ${select} FROM ${this.#from()} GROUP BY ${keys.join(", ")})`;
  }

  /** The rows that all filters but its own leave, a row for each element of a list. */
  #from(): string {
    const where = this.#base.where(this.#fields.map(({ name }) => name));
    const list = this.#columns.find(({ isList }) => isList === true);
    if (list === undefined) return `base${where}`;
    const key = `k${list.index}`;
    // A list without elements is no value.
    const elements = `unnest(CASE WHEN len(${key}) > 0 THEN list_distinct(${key}) ELSE [NULL] END)`;
    return `(SELECT * REPLACE (${elements} AS ${key}) FROM base${where})`;
  }

  result(): string {
    const [group, names] = [`g${this.#index}`, this.#fields.map(({ name }) => name)];
    const isNothing = this.#columns.map(({ index }) => `k${index} IS NULL`).join(" AND ");
    const found = `NOT (${isNothing})${this.#like()}`;
    const json = this.#columns.map((column) => `coalesce(${column.json(aliasOf(column))}, 'null')`);
    const value = json.length === 1 ? json[0] : `concat('[', ${json.join(", ',', ")}, ']')`;
    const order = ["n DESC", ...this.#columns.map(({ index }) => `k${index}`)].join(", ");
    const distinct = this.#wanted.distinct === undefined ? "" : `, ',"distinct":', d`;
    const listed = `SELECT *, ${value} AS text FROM ${group} WHERE ${found}`;
    const top = `SELECT * FROM (${listed}) WHERE length(text) <= ${LONGEST_VALUE} ORDER BY ${order} LIMIT ${this.#wanted.limit}`;
    const values = `SELECT string_agg(concat('{"value":', text, ',"count":', n${distinct}, '}'), ',' ORDER BY ${order}) AS list, coalesce(sum(n), 0) AS shown FROM (${top})`;
    const sums = `SELECT count(*) FILTER (${found}) AS distinct_values, coalesce(sum(n) FILTER (${found}), 0) AS all_counts, coalesce(sum(n) FILTER (${isNothing}), 0) AS missing FROM ${group}`;
    const head = this.#scope.value(`{"facet":${this.#index},"of":{"fields":${JSON.stringify(names)},"distinct":`);
    return `SELECT concat(${head}, distinct_values, ',"missing":', missing, ',"others":', all_counts - shown, ',"values":[', coalesce(list, ''), ']}}') FROM (${sums}), (${values})`;
  }

  #like(): string {
    const { like } = this.#wanted;
    if (like === undefined) return "";
    const wanted = `lower(${this.#scope.value(like)})`;
    const tests = this.#columns.map(
      (column) => `coalesce(contains(lower(${column.text(aliasOf(column))}), ${wanted}), false)`,
    );
    return ` AND (${tests.join(" OR ")})`;
  }
}

/** Where a group has what its JSON text is made of. */
function aliasOf({ index, value }: FacetColumn & { readonly index: number }): string {
  return value === undefined ? `k${index}` : `v${index}`;
}

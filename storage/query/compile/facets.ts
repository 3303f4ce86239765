import type { CompiledStatement } from "../compiled-statement.ts";
import type { FacetField } from "../facets/field.ts";
import type { Condition, Selection } from "../tree.ts";
import { allConditions, conditionSql } from "./conditions.ts";
import { facetColumn, type FacetColumn, foldedSql, LONGEST_VALUE } from "./facet-columns.ts";
import { type CompileContext, Scope } from "./scope.ts";
import { inListSql } from "./value-lists.ts";
import { duckdb } from "../dialect/duckdb.ts";

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

/**
 * One statement over one state of the store. Its rows are JSON texts: `{"facet":n,"of":{…}}` for each facet, and
 * `{"total":n}`, in no order.
 */
export function compileFacets(wanted: FacetSelection, context: CompileContext): CompiledStatement {
  const scope = Scope.of(wanted.rows.entity, context);
  if (wanted.facets.length === 0) return scope.statement(totalSql(scope, wanted));
  const hashed = hashedGroups(scope, wanted);
  if (hashed !== undefined) return hashed;
  const base = new Base(scope, wanted);
  const groups = wanted.facets.map((fields, index) => new Groups(scope, wanted, base, fields, index));
  // Rows of one facet need not be kept: its groups have the total, or else counting all rows again takes less time, since
  // fewer tables are joined.
  const isKept = groups.length > 1;
  const total = groups.length === 1 ? groups[0]?.total() : undefined;
  const results = [
    total ?? (isKept ? base.total() : totalSql(scope, wanted)),
    ...groups.map((group) => group.result()),
  ];
  const tables = [base.table(isKept), ...groups.map((group) => group.table())];
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
  readonly #wanted: FacetSelection;

  constructor(scope: Scope, wanted: FacetSelection) {
    const { rows, facets, filters, per, distinct } = wanted;
    this.#scope = scope;
    this.#rows = rows;
    this.#wanted = wanted;
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
      column = { ...facetColumn(this.#scope, field, this.#wanted.like), index };
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

  /** @param isKept whether the statement reads it several times */
  table(isKept: boolean): string {
    const select = this.#select.join(", ") || "1";
    const all = [...allConditions(this.#scope, this.#rows), ...this.#conditions].join(" AND ");
    const conditions = all === "" ? "" : ` WHERE ${all}`;
    const { tables } = duckdb;
    const rows = `SELECT ${select} ${this.#scope.from()}${conditions}`;
    return isKept ? tables.once("base", rows) : tables.inPlace("base", rows);
  }

  total(): string {
    return `SELECT concat('{"total":', ${countSql(this.#wanted, [])}, '}') FROM base${this.where()}`;
  }
}

/**
 * The same with rows that are grouped by a hash of their texts, where distinct values are counted in a facet of texts: these are then read for
 * the groups alone that may be listed. The engine would carry the texts of all rows through two aggregations.
 */
function hashedGroups(scope: Scope, wanted: FacetSelection): CompiledStatement | undefined {
  const { rows, facets, filters, like, per, distinct, limit } = wanted;
  const [fields = [], ...others] = facets;
  const stored = "stored" in rows.entity.from.rows ? rows.entity.from.rows.stored : undefined;
  const columns = fields.map((field) => requiredText(rows.entity, field));
  const isPlain = others.length === 0 && filters.length === 0 && like === undefined;
  if (stored === undefined || rows.entity.isView === true || !isPlain) return undefined;
  if (!columns.every((column) => column !== undefined)) return undefined;
  const n = countSql(wanted, fields);
  if (n === "count(*)" && distinct === undefined) return undefined;
  const { tables, values } = duckdb;
  const { alias } = rows.entity.from;
  const select = [
    `${values.hash(...columns.map((column) => `${alias}.${column}`))} AS h`,
    `${tables.rowNumber(alias)} AS v`,
    ...(per === undefined ? [] : [`${countedSql(scope, per)} AS per`]),
    ...(distinct === undefined ? [] : [`${countedSql(scope, distinct)} AS distinct_of`]),
  ].join(", ");
  const d = distinct === undefined ? "0" : "count(DISTINCT distinct_of)";
  const all = allConditions(scope, rows).join(" AND ");
  const order = ["n DESC", ...columns.map((_, index) => `k${index}`)].join(", ");
  const json = fields.map((field, index) => facetColumn(scope, field).json(`k${index}`));
  const value = json.length === 1 ? json[0] : `concat('[', ${json.join(", ',', ")}, ']')`;
  const keys = columns.map((column, index) => `t.${column} AS k${index}`).join(", ");
  const [total, from] = per === undefined ? ["coalesce(sum(n), 0)", "g"] : [countSql(wanted, []), "base"];
  const parts = [
    tables.once("base", `SELECT ${select} ${scope.from()}${all === "" ? "" : ` WHERE ${all}`}`),
    tables.once("g", `SELECT min(v) AS v, ${n} AS n, ${d} AS d FROM base GROUP BY h`),
    `first AS (SELECT * FROM g WHERE n >= (SELECT min(n) FROM (SELECT n FROM g ORDER BY n DESC LIMIT ${limit})))`,
    `named AS (SELECT n, d, ${keys} FROM first JOIN ${stored} t ON ${tables.rowNumber("t")} = first.v ORDER BY ${order} LIMIT ${limit})`,
    `listed AS (SELECT *, ${value} AS text FROM named)`,
  ];
  const sums = "SELECT count(*) AS distinct_values, coalesce(sum(n), 0) AS all_counts FROM g";
  const list = listSql("listed", order, distinct !== undefined);
  const facet = `SELECT ${facetText(scope.value(headText(0, fields)), "0")} FROM (${sums}), (${list})`;
  return scope.statement(
    `WITH ${parts.join(", ")} SELECT concat('{"total":', ${total}, '}') FROM ${from} UNION ALL ${facet}`,
  );
}

/** The column of a text that every row has and that is not long; undefined where it is anything else. */
function requiredText({ from }: Selection["entity"], field: FacetField): string | undefined {
  if (field.kind !== "field") return undefined;
  const { type, required, serialized, long, sql } = field.ref.field;
  const isText = type === "string" && required === true && serialized !== true && long === undefined;
  return isText && "column" in sql && sql.table === from.alias ? sql.column : undefined;
}

/** The beginning of a facet's JSON text. */
function headText(index: number, fields: readonly FacetField[]): string {
  return `{"facet":${index},"of":{"fields":${JSON.stringify(fields.map(({ name }) => name))},"distinct":`;
}

/** SQL of a facet's JSON text, over its sums and its list. */
function facetText(head: string, missing: string): string {
  return `concat(${head}, distinct_values, ',"missing":', ${missing}, ',"others":', all_counts - shown, ',"values":[', coalesce(list, ''), ']}}')`;
}

/** SELECT of the JSON text of the listed values, and of the sum of their counts. */
function listSql(from: string, order: string, withDistinct: boolean): string {
  const distinct = withDistinct ? `, ',"distinct":', d` : "";
  const value = `concat('{"value":', text, ',"count":', n${distinct}, '}')`;
  return `SELECT ${duckdb.aggregates.joined(value, "','", order)} AS list, coalesce(sum(n), 0) AS shown FROM ${from} WHERE length(text) <= ${LONGEST_VALUE}`;
}

/** The count of rows that meet all filters, without what only facets need. */
function totalSql(outer: Scope, wanted: FacetSelection): string {
  const scope = outer.inside(wanted.rows.entity);
  const { per } = wanted;
  const counted = per === undefined ? "" : `${countedSql(scope, per)} AS per`;
  const filters = wanted.filters.map(({ leaves }) => `coalesce(${filterSql(scope, leaves)}, false)`);
  const conditions = [...allConditions(scope, wanted.rows), ...filters].join(" AND ");
  const rows = `SELECT ${counted || "1"} ${scope.from()}${conditions === "" ? "" : ` WHERE ${conditions}`}`;
  return `SELECT concat('{"total":', ${countSql(wanted, [])}, '}') FROM (${rows})`;
}

/** What is counted once however often it occurs. A node is recognised by its number, JSON by a number of 64 bits. */
function countedSql(scope: Scope, field: FacetField): string {
  const declared = field.kind === "field" ? field.ref.field : undefined;
  if (declared?.node !== undefined) return scope.use(declared.node);
  const { values } = duckdb;
  const { key } = facetColumn(scope, field);
  return declared?.type === "json" ? values.choice(`${key} IS NULL`, "NULL", values.hash(key)) : key;
}

/** SQL of the count of rows of a group, or of what is counted in their place. */
function countSql({ per, rows }: FacetSelection, grouped: readonly FacetField[]): string {
  if (per === undefined) return "count(*)";
  const known = new Set([per.name, ...fixedFields(rows.where), ...grouped.map(({ name }) => name)]);
  // Then each of its values has one row in a group, and rows are counted sooner.
  const isOnce = rows.entity.unique?.includes(per.name) === true && rows.entity.unique.every((name) => known.has(name));
  return isOnce ? "count(*)" : "count(DISTINCT per)";
}

/** Fields that have the same value in all rows, because the condition says so. */
function fixedFields(where: Condition | null): string[] {
  if (where?.kind === "and") return where.clauses.flatMap(fixedFields);
  const isFixed = where?.kind === "path" || (where?.kind === "compare" && where.op === "=");
  return isFixed ? [where.ref.name] : [];
}

function filterSql(scope: Scope, leaves: FieldFilter["leaves"]): string {
  if (!("cases" in leaves)) return conditionSql(scope, leaves);
  // Without a case the column is not in the statement, so neither may its parameters be.
  return leaves.cases.length === 0 ? "false" : inListSql(scope, facetColumn(scope, leaves.of).key, leaves.cases);
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
    const { aggregates, tables } = duckdb;
    const keys = this.#columns.map(({ index }) => `k${index}`);
    const values = this.#columns.flatMap(({ index, value, stored }) =>
      value === undefined
        ? []
        : [`${stored === undefined ? aggregates.any(`v${index}`) : `min(v${index})`} AS v${index}`],
    );
    const { distinct } = this.#wanted;
    const counts = [
      `${countSql(this.#wanted, this.#fields)} AS n`,
      ...(distinct === undefined ? [] : ["count(DISTINCT distinct_of) AS d"]),
    ];
    const select = [...keys, ...values, ...counts].join(", ");
    const groups = `SELECT ${select} FROM ${this.#from()} GROUP BY ${keys.join(", ")}`;
    // The texts of all values are searched.
    const searched = this.#wanted.like === undefined ? groups : this.#withValues(groups);
    return tables.once(`g${this.#index}`, searched);
  }

  /** Groups with the values that are stored elsewhere. */
  #withValues(groups: string): string {
    const fetched = this.#columns.flatMap(({ index, stored }) => (stored === undefined ? [] : [{ index, ...stored }]));
    if (fetched.length === 0) return groups;
    const { tables } = duckdb;
    const folded = (text: string): string => foldedSql(this.#scope, text, this.#wanted.like);
    const values = fetched.map(({ index, column }) => `${folded(`t${index}.${column}`)} AS v${index}`);
    const joins = fetched.map(
      ({ index, table }) => `LEFT JOIN ${table} t${index} ON ${tables.rowNumber(`t${index}`)} = q.v${index}`,
    );
    return `SELECT ${tables.columnsWith(values, "q")} FROM (${groups}) q ${joins.join(" ")}`;
  }

  /** The rows that all filters but its own leave, a row for each element of a list. */
  #from(): string {
    const where = this.#base.where(this.#fields.map(({ name }) => name));
    const list = this.#columns.find(({ isList }) => isList === true);
    if (list === undefined) return `base${where}`;
    const key = `k${list.index}`;
    const { lists, tables } = duckdb;
    return `(SELECT ${tables.columnsWith([`${lists.differentRows(key)} AS ${key}`])} FROM base${where})`;
  }

  /** The count of all rows, if every row is in one group of its own and counted there; else undefined. */
  total(): string | undefined {
    const isSum = this.#wanted.filters.length === 0 && this.#wanted.per === undefined;
    if (!isSum || this.#columns.some(({ isList }) => isList === true)) return undefined;
    return `SELECT concat('{"total":', coalesce(sum(n), 0), '}') FROM g${this.#index}`;
  }

  result(): string {
    const group = `g${this.#index}`;
    const isNothing = this.#columns.map(({ index }) => `k${index} IS NULL`).join(" AND ");
    const found = `NOT (${isNothing})${this.#like()}`;
    const json = this.#columns.map((column) => `coalesce(${column.json(aliasOf(column))}, 'null')`);
    const value = json.length === 1 ? json[0] : `concat('[', ${json.join(", ',', ")}, ']')`;
    const order = ["n DESC", ...this.#columns.map(({ index }) => `k${index}`)].join(", ");
    const first = `SELECT * FROM ${group} WHERE ${found} ORDER BY ${order} LIMIT ${this.#wanted.limit}`;
    const listed = `SELECT *, ${value} AS text FROM (${this.#wanted.like === undefined ? this.#withValues(first) : first})`;
    const values = listSql(`(${listed})`, order, this.#wanted.distinct !== undefined);
    const sums = `SELECT count(*) FILTER (WHERE ${found}) AS distinct_values, coalesce(sum(n) FILTER (WHERE ${found}), 0) AS all_counts, coalesce(sum(n) FILTER (WHERE ${isNothing}), 0) AS missing FROM ${group}`;
    const head = this.#scope.value(headText(this.#index, this.#fields));
    return `SELECT ${facetText(head, "missing")} FROM (${sums}), (${values})`;
  }

  #like(): string {
    const { like } = this.#wanted;
    if (like === undefined) return "";
    const { texts } = duckdb;
    const wanted = `lower(${this.#scope.value(like)})`;
    const tests = this.#columns.map((column) => {
      return `coalesce(${texts.contains(`lower(${column.text(aliasOf(column))})`, wanted)}, false)`;
    });
    return ` AND (${tests.join(" OR ")})`;
  }
}

/** Where a group has what its JSON text is made of. */
function aliasOf({ index, value }: FacetColumn & { readonly index: number }): string {
  return value === undefined ? `k${index}` : `v${index}`;
}

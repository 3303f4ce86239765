import { nullness, ReadTables } from "../../engine/table-versions.ts";
import type { SqlValue } from "../../engine/sql-value.ts";
import type { Timestamp } from "../../time.ts";
import type { CompiledStatement } from "../compiled-statement.ts";
import {
  type DocumentParts,
  type Entity,
  type FieldSql,
  type Join,
  joinSql,
  needsOf,
  readsIn,
  sqlText,
} from "../entities/index.ts";
import { QueryError } from "../errors.ts";
import { type MarkedRows, Marks } from "./marks.ts";
import { type IsSteadyFact, Pivot } from "./pivot.ts";

/** Joins of marks inside each other: the engine's time for more of them grows exponentially. */
const MAX_NESTED_MARKS = 4;

/** Subqueries of a statement that the engine plans one by one; its time grows with the cube of their number. */
const MAX_SUBQUERIES = 60;

/** What a compilation depends on besides the query. */
export interface CompileContext {
  /** Nodes deactivated or expired before this time are neither active nor inactive: they wait to be purged. */
  readonly purgeHorizon: Timestamp;
  /**
   * The id of the node with a name, where the node is in memory: finding rows by id is much faster than by name, since
   * every name would be compared.
   */
  readonly nodeOf?: (certname: string) => number | undefined;
  /** Tables that joins read in place of others, by the names of the others. */
  readonly dictionaries?: Readonly<Record<string, string>>;
  /** Which facts change with no run that changes volatile facts only; default: any may. */
  readonly isSteadyFact?: IsSteadyFact;
  /** Whether counts of events distinguish corrective from intentional changes; default: no. */
  readonly countsCorrective?: boolean;
  /** Whether pages are the same in every store with the same content; default: no. See `page-order.ts`. */
  readonly ordersPages?: boolean;
}

/** The parameters of the statement that is compiled, what it reads, and what all of its SELECTs count together. */
class Values {
  readonly list: SqlValue[] = [];
  readonly reads = new ReadTables();
  subqueries = 0;

  add(value: SqlValue): string {
    this.list.push(value);
    return `$${this.list.length}`;
  }
}

/**
 * One SELECT that is compiled: its entity, the aliases that its expressions have used so far (only those are joined),
 * and the parameters of the statement, which nested SELECTs share.
 */
export class Scope {
  readonly entity: Entity;
  readonly context: CompileContext;
  readonly #values: Values;
  readonly #used = new Set<string>();
  readonly #pivots = new Map<DocumentParts["table"], Pivot>();
  readonly #marks = new Map<string, Marks>();
  readonly #innerScopes = new Map<string, Scope>();
  /** Whether the memberships in subqueries are numerous enough for those in the same rows to become one join. */
  isCrowded = false;
  /** The number of joins of marks around it. */
  #marksAround = 0;
  #certname: SqlValue | undefined;
  #readsSteadyFacts = false;

  private constructor(entity: Entity, context: CompileContext, values: Values) {
    this.entity = entity;
    this.context = context;
    this.#values = values;
  }

  static of(entity: Entity, context: CompileContext): Scope {
    return new Scope(entity, context, new Values());
  }

  /** The scope of a nested SELECT. */
  inside(entity: Entity): Scope {
    return new Scope(entity, this.context, this.#values);
  }

  /** Adds a parameter to the statement and returns its placeholder. */
  value(value: SqlValue): string {
    return this.#values.add(value);
  }

  read(table: string, parts: "all" | readonly string[] = "all"): void {
    this.#values.reads.add(table, parts);
  }

  /** Records what declared SQL reads and which of the entity's tables it needs, and returns its text. */
  use(declared: FieldSql): string {
    for (const alias of needsOf(declared)) this.#used.add(alias);
    this.#noteReads(declared);
    return sqlText(declared, { moment: () => this.value({ micros: this.context.purgeHorizon }) });
  }

  #noteReads(declared: FieldSql): void {
    for (const read of readsIn(declared)) {
      if ("stored" in read) this.read(read.stored, read.columns);
      else if (this.#tableNamed(read.table) === "nodes")
        this.read("nodes", [read.isOnlyNull === true ? nullness(read.column) : read.column]);
    }
  }

  /** The stored table with an alias; undefined where it is something else. */
  #tableNamed(alias: string): string | undefined {
    const { from, joins } = this.entity;
    if (alias === from.alias) return "stored" in from.rows ? from.rows.stored : undefined;
    return joins.find((join) => join.alias === alias)?.table;
  }

  /** Whether a table can be omitted, because nothing has used it so far. */
  canSpare(alias: string): boolean {
    return this.entity.joins.some((join) => join.alias === alias) && !this.#used.has(alias);
  }

  /** Parts of documents as columns. */
  pivot(parts: DocumentParts): Pivot {
    this.use(parts.key);
    let pivot = this.#pivots.get(parts.table);
    if (pivot === undefined) {
      pivot = new Pivot(parts, `${parts.table}_by_owner`, this, this.context.isSteadyFact);
      this.#pivots.set(parts.table, pivot);
    }
    return pivot;
  }

  /**
   * Memberships in rows of a table.
   * @param key SQL of what the owner of a row is compared with
   */
  tableMarks(table: string, owner: string, key: string): Marks {
    return this.#marksOf(JSON.stringify([table, owner, key]), () => ({
      keys: [key],
      owners: [owner],
      from: () => {
        this.read(table);
        return `FROM ${table}`;
      },
    }));
  }

  /**
   * Memberships in rows of an entity, and the scope of their conditions.
   * @param key the same for the same rows
   */
  entityMarks(key: string, entity: Entity, rowsOf: (inner: Scope) => MarkedRows): { marks: Marks; inner: Scope } {
    const inner = this.#innerScopes.get(key) ?? this.inside(entity);
    this.#innerScopes.set(key, inner);
    inner.#marksAround = this.#marksAround + 1;
    inner.isCrowded = inner.#marksAround < MAX_NESTED_MARKS;
    return { marks: this.#marksOf(key, () => rowsOf(inner)), inner };
  }

  #marksOf(key: string, rows: () => MarkedRows): Marks {
    let marks = this.#marks.get(key);
    if (marks === undefined) {
      this.countSubquery();
      this.#marks.set(key, (marks = new Marks(`marks${this.#marks.size}`, rows(), this)));
    }
    return marks;
  }

  /** Counts a subquery. @throws QueryError where the statement has too many */
  countSubquery(): void {
    if (++this.#values.subqueries <= MAX_SUBQUERIES) return;
    throw new QueryError(
      `the query has more than ${MAX_SUBQUERIES} subqueries, those that read the same rows by the same fields counted as one`,
    );
  }

  /** Limits the parts of documents to those of one certname. */
  limitTo(certname: SqlValue): void {
    this.#certname = certname;
  }

  /** The entity's rows are facts, none of which is volatile. */
  readSteadyFacts(): void {
    this.#readsSteadyFacts = true;
  }

  /**
   * FROM with the joins that have been used.
   * @param rows whether the rows of the result come from it, rather than only the decision about them
   * @param table SQL of what replaces the entity's first table, with its alias
   */
  from({ rows = false, table }: { rows?: boolean; table?: string } = {}): string {
    const joins = this.#joins.map((join) => {
      this.read(join.table, join.table === "nodes" ? [] : "all");
      const name = this.context.dictionaries?.[join.table] ?? join.table;
      return joinSql(join, { isOuter: rows && join.isLookup === true, name });
    });
    const pivots = [...this.#pivots.values()].map((pivot) => {
      return pivot.join(this.#certname === undefined ? undefined : this.value(this.#certname));
    });
    const { rows: plain, alias, computed } = this.entity.from;
    const first = computed !== undefined && this.#used.has(computed.alias) ? computed.rows : plain;
    const begin = table ?? `${this.#firstTable(first)} ${alias}`;
    const marks = [...this.#marks.values()].map((each) => each.join());
    return ["FROM", begin, ...joins, ...pivots, ...marks].join(" ");
  }

  /** The joins that have been used, with those before them that they need. */
  get #joins(): readonly Join[] {
    const needed = new Set(this.#used);
    // The table of a join's id must be joined before it.
    for (const { alias, id } of this.entity.joins) if (needed.has(alias)) needed.add(id.table);
    return this.entity.joins.filter(({ alias }) => needed.has(alias));
  }

  #firstTable(first: Entity["from"]["rows"]): string {
    if (!("stored" in first)) {
      this.#noteReads(first);
      return sqlText(first);
    }
    const table = first.stored;
    this.read(table, table === "nodes" || this.#readsSteadyFacts ? [] : "all");
    return table;
  }

  statement(sql: string): CompiledStatement {
    const { list: values, reads } = this.#values;
    return { sql, values, reads: reads.tables };
  }
}

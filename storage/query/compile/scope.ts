import type { RowLayout } from "../../engine/row-layout.ts";
import type { Statement } from "../../engine/statements.ts";
import type { SqlValue } from "../../engine/sql-value.ts";
import type { Timestamp } from "../../time.ts";
import { type DocumentParts, type Entity, type FieldSql, joinSql, needsOf, sqlText } from "../entities/index.ts";
import { Pivot } from "./pivot.ts";

/** What a compilation knows of the world. */
export interface CompileContext {
  /** Nodes deactivated or expired before this moment are neither active nor inactive: they wait to be purged. */
  readonly purgeHorizon: Timestamp;
  /**
   * The id of the node of a name, where it can be told without asking the engine: rows are found by it much sooner than by
   * the name, for which every name would be looked at.
   */
  readonly nodeOf?: (certname: string) => number | undefined;
  /**
   * Where it is known which nodes are not active, a digit per node id: 1 for those, 0 or nothing for the others. Rows of
   * active nodes are then told by their node's id, and need not be joined with it.
   */
  readonly inactive?: string;
  /** Whether counts of events tell corrective changes from those that were asked for; default: no. */
  readonly countsCorrective?: boolean;
}

/** The parameters of the statement that is being made. */
class Values {
  readonly list: SqlValue[] = [];

  add(value: SqlValue): string {
    this.list.push(value);
    return `$${this.list.length}`;
  }
}

/**
 * One SELECT that is being made: its entity, the aliases its expressions have used so far (only those are joined), and
 * the statement's parameters, which nested SELECTs share.
 */
export class Scope {
  readonly entity: Entity;
  readonly context: CompileContext;
  readonly #values: Values;
  readonly #used = new Set<string>();
  readonly #pivots = new Map<DocumentParts["table"], Pivot>();
  #certname: SqlValue | undefined;

  private constructor(entity: Entity, context: CompileContext, values: Values) {
    this.entity = entity;
    this.context = context;
    this.#values = values;
  }

  static of(entity: Entity, context: CompileContext): Scope {
    return new Scope(entity, context, new Values());
  }

  /** The scope of a SELECT inside this one. */
  inside(entity: Entity): Scope {
    return new Scope(entity, this.context, this.#values);
  }

  /** Makes a value a parameter of the statement and returns its placeholder. */
  value(value: SqlValue): string {
    return this.#values.add(value);
  }

  /** Notes which of the entity's tables declared SQL needs, and returns its text. */
  use(declared: FieldSql): string {
    for (const alias of needsOf(declared)) this.#used.add(alias);
    return sqlText(declared, { moment: () => this.value({ micros: this.context.purgeHorizon }) });
  }

  /** Whether a table can be left out: so far nothing has needed it. */
  canSpare(alias: string): boolean {
    return this.entity.joins.some((join) => join.alias === alias) && !this.#used.has(alias);
  }

  /** The columns that parts of documents are read as. */
  pivot(parts: DocumentParts): Pivot {
    this.use(parts.key);
    let pivot = this.#pivots.get(parts.table);
    if (pivot === undefined) {
      pivot = new Pivot(parts, `${parts.table}_by_owner`, (value) => this.value(value));
      this.#pivots.set(parts.table, pivot);
    }
    return pivot;
  }

  /** Notes that only rows of this certname are wanted. */
  limitTo(certname: SqlValue): void {
    this.#certname = certname;
  }

  /**
   * FROM with the joins that have been used.
   * @param rows whether the answer's rows come from it, rather than only what decides about them
   * @param table SQL of what replaces the entity's first table, with its alias
   */
  from({ rows = false, table }: { rows?: boolean; table?: string } = {}): string {
    const needed = new Set(this.#used);
    // What a join's id is a column of has to be joined before it.
    for (const { alias, id } of this.entity.joins) if (needed.has(alias)) needed.add(id.table);
    const joins = this.entity.joins
      .filter(({ alias }) => needed.has(alias))
      .map((join) => joinSql(join, { isOuter: rows && join.isLookup === true }));
    const pivots = [...this.#pivots.values()].map((pivot) => {
      return pivot.join(this.#certname === undefined ? undefined : this.value(this.#certname));
    });
    const { rows: first, alias } = this.entity.from;
    const begin = table ?? `${"stored" in first ? first.stored : sqlText(first)} ${alias}`;
    return ["FROM", begin, ...joins, ...pivots].join(" ");
  }

  statement(sql: string, layout?: RowLayout): Statement {
    return { sql, values: this.#values.list, ...(layout === undefined ? {} : { layout }) };
  }
}

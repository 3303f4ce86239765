import { CensusError } from "../../errors.ts";
import { type Json, stringifyJson } from "../../json.ts";
import type { Entity } from "../entities/index.ts";
import { FormError, PlanError, QueryError } from "../errors.ts";
import type { Condition, Paging, Selection } from "../tree.ts";

/**
 * A condition, or `any`: a clause that asks for nothing (`node_state = any`, `type = any`) and is taken out of whatever
 * surrounds it (`reference/query.md §4.1`).
 */
export type Built = Condition | "any";

/** Where a clause stands: its entity, and whether an `extract` is around it, which changes what is said of nonsense. */
export interface Scope {
  readonly entity: Entity;
  readonly inExtract: boolean;
}

/** What the parts of the builder call of one another. */
export interface Builder {
  readonly problems: Problems;
  condition(scope: Scope, ast: Json): Built;
  /** The selection of a subquery: its columns are the queryable fields named in `columns`. */
  subselection(entity: Entity, columns: readonly string[], filter: Json | undefined, paging: Paging): Selection;
}

/** Stands for a clause that has already been found wrong. */
export const broken: Condition = { kind: "constant", value: false };

/** So many unknown fields are told of; each message names all that are known. */
const MOST_FIELDS = 100;

/**
 * What is wrong with a query. Every unknown field is told at once, those of the first subquery that has any or else those
 * of the query itself; then come the first mistake of form, innermost first, the first that the peer's planning finds, and
 * the first that it leaves to its database (`reference/query.md §1`, steps 11 to 13).
 */
export class Problems {
  #fields: string[] = [];
  #ofSubquery: readonly string[] | undefined;
  #form: QueryError | undefined;
  #plan: QueryError | undefined;
  #other: QueryError | undefined;

  /** Notes an unknown field. */
  field(message: string): Condition {
    if (this.#fields.length < MOST_FIELDS) this.#fields.push(message);
    return broken;
  }

  /** Reads a subquery, whose unknown fields are told apart. */
  within<T>(work: () => T): T {
    const outer = this.#fields;
    this.#fields = [];
    try {
      return work();
    } finally {
      if (this.#fields.length > 0) this.#ofSubquery ??= this.#fields;
      this.#fields = outer;
    }
  }

  /** Notes a mistake of form. */
  fail(message: string): Condition {
    this.#form ??= new QueryError(message);
    return broken;
  }

  /** Notes any other mistake. */
  later(message: string): Condition {
    this.#other ??= new QueryError(message);
    return broken;
  }

  /** Runs `work`; a mistake it throws is noted and a broken clause stands for it. */
  attempt(work: () => Condition): Condition {
    return this.tryTo(work) ?? broken;
  }

  /** The same for anything that is not a condition. */
  tryTo<T>(work: () => T): T | undefined {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof CensusError) || error.code !== "bad-input") throw error;
      if (error instanceof FormError) this.#form ??= error;
      else if (error instanceof PlanError) this.#plan ??= error;
      else this.later(error.message);
      return undefined;
    }
  }

  /**
   * Notes a clause nobody understands. The peer names classes of its runtime for most of them; what is said here is what
   * to write instead.
   * @param wanted the form that the clause should have
   */
  meaningless(ast: Json, wanted: string): Condition {
    return this.later(`${excerpt(ast)} cannot be read: ${wanted}`);
  }

  throwIfAny(): void {
    const fields = this.#ofSubquery ?? this.#fields;
    if (fields.length > 0) throw new QueryError(fields.join("\n"));
    const first = this.#form ?? this.#plan ?? this.#other;
    if (first !== undefined) throw first;
  }
}

const LONGEST_EXCERPT = 200;

/** JSON as the query had it, its beginning if it is long. */
function excerpt(ast: Json): string {
  const text = stringifyJson(ast);
  return text.length > LONGEST_EXCERPT ? `${text.slice(0, LONGEST_EXCERPT)}…` : text;
}

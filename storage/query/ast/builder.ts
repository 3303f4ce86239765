import { CensusError } from "../../errors.ts";
import { type Json, stringifyJson } from "../../json.ts";
import type { Entity } from "../entities/index.ts";
import { FormError, PlanError, QueryError } from "../errors.ts";
import type { Condition, Paging, Selection } from "../tree.ts";

/**
 * A condition, or `any`: a clause that every row meets (`node_state = any`, `type = any`). It is removed from the
 * clause around it (`reference/query.md §4.1`).
 */
export type Built = Condition | "any";

/** The entity of a clause, and whether it is inside an `extract`, which changes the error messages. */
export interface Scope {
  readonly entity: Entity;
  readonly inExtract: boolean;
}

/** What the parts of the builder use of each other. */
export interface Builder {
  readonly problems: Problems;
  condition(scope: Scope, ast: Json): Built;
  /** The selection of a subquery: its columns are the queryable fields named in `columns`. */
  subselection(entity: Entity, columns: readonly string[], filter: Json | undefined, paging: Paging): Selection;
}

/** Takes the place of an invalid clause, whose error is recorded already. */
export const invalidClause: Condition = { kind: "constant", value: false };

/** An empty condition, which is none in some places. */
export function isEmptyList(ast: Json | undefined): boolean {
  return Array.isArray(ast) && ast.length === 0;
}

/**
 * The errors of a query, of which PuppetDB's order decides which are reported: all unknown fields, those of the first
 * subquery that has any or else those of the query itself; then the first error of form, innermost first, the first
 * that PuppetDB's planning finds, and the first that it leaves to its database (`reference/query.md §1`, steps 11 to
 * 13).
 */
export class Problems {
  #fields: string[] = [];
  #ofSubquery: readonly string[] | undefined;
  #form: QueryError | undefined;
  #plan: QueryError | undefined;
  #other: QueryError | undefined;

  /** Records an unknown field. */
  field(message: string): Condition {
    // Each message lists all known fields.
    if (this.#fields.length < 100) this.#fields.push(message);
    return invalidClause;
  }

  /** Reads a subquery, whose unknown fields are reported separately. */
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

  /** Records an error of form. */
  formError(message: string): Condition {
    this.#form ??= new QueryError(message);
    return invalidClause;
  }

  /** Records any other error. */
  otherError(message: string): Condition {
    this.#other ??= new QueryError(message);
    return invalidClause;
  }

  /** Runs `work`; if it throws, the error is recorded and a broken clause is returned. */
  attempt(work: () => Condition): Condition {
    return this.attemptValue(work) ?? invalidClause;
  }

  /** The same for results that are not conditions. */
  attemptValue<T>(work: () => T): T | undefined {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof CensusError) || error.code !== "bad-input") throw error;
      if (error instanceof FormError) this.#form ??= error;
      else if (error instanceof PlanError) this.#plan ??= error;
      else this.otherError(error.message);
      return undefined;
    }
  }

  /**
   * Records a clause without meaning. PuppetDB's message mostly names a class of its runtime; ours says what to write.
   * @param wanted the form that the clause should have
   */
  meaningless(ast: Json, wanted: string): Condition {
    return this.otherError(`${excerpt(ast)} cannot be read: ${wanted}`);
  }

  throwIfAny(): void {
    const fields = this.#ofSubquery ?? this.#fields;
    if (fields.length > 0) throw new QueryError(fields.join("\n"));
    const first = this.#form ?? this.#plan ?? this.#other;
    if (first !== undefined) throw first;
  }
}

const LONGEST_EXCERPT = 200;

/** JSON as in the query, cut if it is long. */
function excerpt(ast: Json): string {
  const text = stringifyJson(ast);
  return text.length > LONGEST_EXCERPT ? `${text.slice(0, LONGEST_EXCERPT)}…` : text;
}

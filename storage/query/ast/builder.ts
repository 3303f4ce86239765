import { CensusError } from "../../errors.ts";
import type { Json } from "../../json.ts";
import type { Entity } from "../entities/index.ts";
import { QueryError } from "../errors.ts";
import type { Condition, Paging, Selection } from "../tree.ts";
import { clojureText } from "./clojure.ts";

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

/** What the peer says of a clause that has no meaning at all; its own words, since clients and tests know them. */
export const noMeaning =
  "No implementation of method: :-plan->sql of protocol: #'puppetlabs.puppetdb.query-eng.engine/SQLGen found for class: nil";

/**
 * What is wrong with a query. Every unknown field of the whole tree is told at once; of all other mistakes the first
 * found, innermost first (`reference/query.md §1`, steps 11 and 12).
 */
export class Problems {
  readonly #fields: string[] = [];
  #first: QueryError | undefined;

  /** Notes an unknown field. */
  field(message: string): Condition {
    this.#fields.push(message);
    return broken;
  }

  /** Notes any other mistake. */
  fail(message: string): Condition {
    this.#first ??= new QueryError(message);
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
      this.fail(error.message);
      return undefined;
    }
  }

  /** Notes a clause nobody understands. */
  meaningless(scope: Scope, ast: Json): Condition {
    return this.fail(
      scope.inExtract && Array.isArray(ast) ? `${clojureText(ast)} is not a valid expression for "extract"` : noMeaning,
    );
  }

  throwIfAny(): void {
    if (this.#fields.length > 0) throw new QueryError(this.#fields.join("\n"));
    if (this.#first !== undefined) throw this.#first;
  }
}

import type { PathStep } from "../dialect/types.ts";
import { type DocumentParts, sqlText } from "../entities/index.ts";
import type { Writer } from "./writer.ts";
import { duckdb } from "../dialect/duckdb.ts";

/** Whether neither a fact nor a part of it is volatile. @param path the fact's name, and what leads to a part */
export type IsSteadyFact = (path: readonly string[]) => boolean;

/**
 * Parts of documents that are stored as one row per top-level key, as columns of one row per owner. The rows are read
 * once, however many parts a statement uses.
 */
export class Pivot {
  readonly #parts: DocumentParts;
  readonly #alias: string;
  readonly #writer: Writer;
  /** Placeholders of the top-level keys. */
  readonly #names = new Map<string, string>();
  /** Aggregates by their description, with the number of their column. */
  readonly #columns = new Map<string, { readonly sql: string; readonly index: number }>();
  readonly #isSteady: IsSteadyFact;
  /** Whether no volatile fact is read. */
  #readsSteady = true;

  /** @param isSteady absent: no fact is known to be */
  constructor(parts: DocumentParts, alias: string, writer: Writer, isSteady: IsSteadyFact = () => false) {
    this.#parts = parts;
    this.#alias = alias;
    this.#writer = writer;
    this.#isSteady = isSteady;
  }

  /**
   * SQL of a part's JSON text; NULL where there is none.
   * @param steps below the top-level key; none: the whole value
   */
  part(name: string, steps: readonly PathStep[]): string {
    this.#note([name, ...steps.map((step) => (step.kind === "index" ? String(step.index) : step.name))]);
    return this.#column(JSON.stringify([name, ...steps]), () => {
      const { aggregates, json } = duckdb;
      const part = json.part(this.#parts.value, steps, (path) => this.#writer.value(path));
      return aggregates.any(`CASE WHEN ${this.#isNamed(name)} THEN ${part.json} END`);
    });
  }

  /** SQL of whether there is a value with this name. */
  has(name: string): string {
    this.#note([name]);
    const { aggregates } = duckdb;
    return `coalesce(${this.#column(`has ${name}`, () => aggregates.some(this.#isNamed(name)))}, false)`;
  }

  /**
   * The join that adds the columns.
   * @param certname placeholder of the only one whose parts are needed; undefined: all are
   */
  join(certname: string | undefined): string {
    const { table, owner, name, key, isOfNodes = false } = this.#parts;
    this.#writer.read(table, table === "facts" && this.#readsSteady ? [] : "all");
    const isOfOne = certname !== undefined && isOfNodes;
    if (isOfOne) this.#writer.read("nodes", []);
    const ofNode = isOfOne ? ` AND ${owner} IN (SELECT id FROM nodes WHERE certname = ${certname})` : "";
    const columns = [...this.#columns.values()].map(({ sql, index }) => `${sql} AS p${index}`);
    const names = [...this.#names.values()].join(", ");
    const rows = `SELECT ${[`${owner} AS owner`, ...columns].join(", ")} FROM ${table} WHERE ${name} IN (${names})${ofNode} GROUP BY ${owner}`;
    return `LEFT JOIN (${rows}) AS ${this.#alias} ON ${this.#alias}.owner = ${sqlText(key)}`;
  }

  #note(path: readonly string[]): void {
    this.#readsSteady &&= this.#isSteady(path);
  }

  #isNamed(name: string): string {
    let placeholder = this.#names.get(name);
    if (placeholder === undefined) this.#names.set(name, (placeholder = this.#writer.value(name)));
    return `${this.#parts.name} = ${placeholder}`;
  }

  #column(key: string, aggregate: () => string): string {
    let column = this.#columns.get(key);
    if (column === undefined) this.#columns.set(key, (column = { sql: aggregate(), index: this.#columns.size }));
    return `${this.#alias}.p${column.index}`;
  }
}

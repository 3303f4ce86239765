import { type Catalogue, valuesWanted } from "#storage/query/complete/complete.ts";
import { type ValuePlace, valueSource } from "#storage/query/complete/values.ts";
import { rowObject } from "#storage/output/cells.ts";
import type { OpenSource } from "../sources/open-source.ts";

/** Maximum number of values per query. */
const LIMIT = 1000;

interface Known {
  readonly values: readonly string[];
  /** There may be more values than the limit. */
  readonly isCut: boolean;
}

/** The values of a source's fields, fetched on demand and cached. */
export class SourceCatalogue implements Catalogue {
  readonly #source: OpenSource;
  readonly #known = new Map<string, Known>();

  constructor(source: OpenSource) {
    this.#source = source;
  }

  values(place: ValuePlace): readonly string[] | undefined {
    return this.#find(place)?.values;
  }

  /** Fetches the values for a completion at this place. A source that fails has none. */
  async prepare(text: string, cursor: number): Promise<void> {
    const place = valuesWanted(text, cursor);
    if (place === undefined || this.#find(place) !== undefined) return;
    const isCut = this.#known.get(keyOf({ ...place, typed: "" }))?.isCut === true;
    const fetched = isCut || place.entity === "inventory" ? place : { ...place, typed: "" };
    this.#known.set(keyOf(fetched), await this.#fetch(fetched));
    // There are too many values: fetch those that start with the typed text.
    if (this.#find(place) === undefined) this.#known.set(keyOf(place), await this.#fetch(place));
  }

  #find(place: ValuePlace): Known | undefined {
    const all = this.#known.get(keyOf({ ...place, typed: "" }));
    return all?.isCut === false || place.typed === "" ? all : this.#known.get(keyOf(place));
  }

  async #fetch(place: ValuePlace): Promise<Known> {
    const source = valueSource(place, LIMIT);
    if (source === undefined) return { values: [], isCut: false };
    if (source.kind === "known") return { values: source.values, isCut: false };
    const values: string[] = [];
    let count = 0;
    try {
      const { rows } = await this.#source.query(source.query, { signal: AbortSignal.timeout(3000) });
      for await (const batch of rows) {
        count += batch.length;
        values.push(...batch.flatMap((row) => source.read(rowObject(row)[source.column]) ?? []));
      }
    } catch {
      return { values: [], isCut: false };
    }
    return { values, isCut: count >= LIMIT };
  }
}

function keyOf({ entity, field, typed, narrowed }: ValuePlace): string {
  return JSON.stringify([entity, field, typed, narrowed]);
}

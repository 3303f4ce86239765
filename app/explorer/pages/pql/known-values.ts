import { type Catalogue, valuesWanted } from "#storage/query/complete/complete.ts";
import { type ValuePlace, valueSource } from "#storage/query/complete/values.ts";
import { isObject, stringifyJson } from "#storage/json.ts";
import { load } from "../data/load.ts";

/** Values offered for one place. */
const LIMIT = 50;

/** Values of fields for completion, fetched by ordinary queries. Reached by dynamic import only. */
export class KnownValues implements Catalogue {
  readonly #values = new Map<string, readonly string[]>();

  /** Fetches the values that completion needs at the cursor. @throws as `load` does */
  async prepare(text: string, cursor: number, signal: AbortSignal): Promise<void> {
    const place = valuesWanted(text, cursor);
    if (place === undefined || this.#values.has(keyOf(place))) return;
    const source = valueSource(place, LIMIT);
    if (source === undefined) return;
    if (source.kind === "known") {
      this.#values.set(keyOf(place), source.values);
      return;
    }
    const { value } = await load({ path: "/pdb/query/v4", parameters: { query: stringifyJson(source.query) } }, signal);
    const rows = Array.isArray(value) ? value.filter(isObject) : [];
    this.#values.set(
      keyOf(place),
      rows.flatMap((row) => source.read(row[source.column]) ?? []),
    );
  }

  values(place: ValuePlace): readonly string[] | undefined {
    return this.#values.get(keyOf(place));
  }
}

function keyOf(place: ValuePlace): string {
  return JSON.stringify([place.entity, place.field, place.typed, place.narrowed]);
}

import { type JsonObject, stringifyJson } from "#storage/json.ts";
import { systemClock, type Timestamp } from "#storage/time.ts";
import { answerPlace, writeAnswer } from "../output/answer.ts";
import { cellText, rowObject } from "#storage/output/cells.ts";
import type { Rows } from "../output/rows.ts";
import { chooseSource } from "../sources/choice.ts";
import { openSource } from "../sources/source.ts";
import { stdout } from "../stdout.ts";
import type { ShortFormArguments } from "./options.ts";

/** A common query: its PQL, and how its rows are shown. */
export interface ShortForm {
  readonly name: string;
  /** @param now the time that durations are counted back from */
  readonly query: (now: Timestamp) => string;
  /** Converts a row for output; default: unchanged. */
  readonly shape?: (row: JsonObject) => JsonObject;
  /** Groups come in any order: how many of them are shown, those of most rows first. */
  readonly groups?: { readonly limit: number | undefined };
  /** Writes the result if it has its own format. */
  readonly write?: (rows: Rows) => Promise<void>;
}

/** Runs the query on the source of the command line, or prints it. */
export async function runShortForm(form: ShortForm, args: ShortFormArguments): Promise<void> {
  const { name, query, write } = form;
  const choice = chooseSource(name, args);
  const place = write === undefined ? answerPlace(args) : undefined;
  // Build the query before opening a source, to report invalid options first. Most queries do not depend on the time.
  const early = query(systemClock.now());
  if (args.pql === true && early === query(0n)) return stdout.write(`${early}\n`);
  const source = await openSource(choice);
  try {
    const text = query(source.kind === "url" ? systemClock.now() : source.store.clock.now());
    if (args.pql === true) return await stdout.write(`${text}\n`);
    const rows = await source.query(text);
    const shaped = shapedRows(rows, form);
    await (place === undefined ? write?.(shaped) : writeAnswer(shaped, place));
  } finally {
    await source.close();
  }
}

async function* shapedRows(rows: Rows, { shape = (row) => row, groups }: ShortForm): Rows {
  if (groups === undefined) {
    for await (const batch of rows) yield batch.map((row) => stringifyJson(shape(rowObject(row))));
    return;
  }
  const found: { text: string; count: number }[] = [];
  for await (const batch of rows) {
    for (const row of batch.map((text) => shape(rowObject(text)))) {
      found.push({ text: stringifyJson(row), count: Number(cellText(row["count"])) });
    }
  }
  found.sort((a, b) => b.count - a.count || (a.text < b.text ? -1 : 1));
  yield found.slice(0, groups.limit).map(({ text }) => text);
}

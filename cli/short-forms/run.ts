import { type JsonObject, stringifyJson } from "#storage/json.ts";
import { systemClock, type Timestamp } from "#storage/time.ts";
import { answerPlace, writeAnswer } from "../output/answer.ts";
import { cellText, rowObject } from "#storage/output/cells.ts";
import type { Rows } from "../output/rows.ts";
import { chooseSource } from "../sources/choice.ts";
import type { Answer } from "../sources/open-source.ts";
import { openSource } from "../sources/source.ts";
import { stdout } from "../stdout.ts";
import type { ShortFormArguments } from "./options.ts";

/** A common query: its PQL, and how its rows are shown. */
export interface ShortForm {
  readonly name: string;
  /** @param now the time that durations are counted back from */
  readonly query: (now: Timestamp) => string;
  /** Whether the query has a limit, so that there may be more rows. */
  readonly isLimited?: boolean;
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
  const isTimeless = early === query(0n);
  if (args.pql === true && isTimeless) return stdout.write(`${early}\n`);
  const source = await openSource(choice);
  try {
    const text = isTimeless ? early : query(await source.now());
    if (args.pql === true) return await stdout.write(`${text}\n`);
    const withTotal = place?.format === "table" && form.isLimited === true;
    const answer = await source.query(text, { withTotal, signal: place?.reader.signal });
    const { rows, total } = form.groups === undefined ? shaped(answer, form) : grouped(answer, form, form.groups);
    await (place === undefined ? write?.(rows) : writeAnswer(rows, place, { total, now: () => source.now() }));
  } finally {
    await source.close();
  }
}

interface Shaped {
  readonly rows: Rows;
  /** To be called when all rows are written. */
  readonly total: () => number | undefined;
}

function shaped({ rows, total }: Answer, { shape = (row) => row }: ShortForm): Shaped {
  return { rows: shapedRows(rows, shape), total: () => total };
}

async function* shapedRows(rows: Rows, shape: (row: JsonObject) => JsonObject): Rows {
  for await (const batch of rows) yield batch.map((row) => stringifyJson(shape(rowObject(row))));
}

function grouped(
  { rows }: Answer,
  { shape = (row) => row }: ShortForm,
  { limit }: { limit: number | undefined },
): Shaped {
  const found: { text: string; count: number }[] = [];
  async function* largest(): Rows {
    for await (const batch of rows) {
      for (const row of batch.map((text) => shape(rowObject(text)))) {
        found.push({ text: stringifyJson(row), count: Number(cellText(row["count"])) });
      }
    }
    found.sort((a, b) => b.count - a.count || (a.text < b.text ? -1 : 1));
    yield found.slice(0, limit).map(({ text }) => text);
  }
  return { rows: largest(), total: () => found.length };
}

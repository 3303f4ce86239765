import { JoinedText, lengthOf, type TextPart } from "../engine/joined-text.ts";
import type { Rows } from "../engine/rows.ts";
import type { Snapshot } from "../engine/snapshot.ts";
import type { Statement } from "../engine/statements.ts";
import type { ListPart, RowOfLists } from "./compile/lists.ts";

/** Yields one row in pieces; nothing where it is not there any more. */
export async function* longRow(view: Snapshot, { columns, parts }: RowOfLists): AsyncGenerator<Rows> {
  const texts = await columnTexts(view, columns);
  if (texts === undefined) return;
  let rest: Buffer[] = [];
  for (const part of parts) {
    if (typeof part === "string") rest.push(Buffer.from(part));
    else if (typeof part === "number") rest.push(texts[part] ?? Buffer.alloc(0));
    else {
      yield new JoinedText(rest, true);
      const isEmpty = yield* list(view, part);
      rest = [Buffer.from(isEmpty ? part.none : part.close)];
    }
  }
  yield new JoinedText(rest, false);
}

async function columnTexts(view: Snapshot, statement: Statement): Promise<Buffer[] | undefined> {
  let texts: Buffer[] | undefined;
  for await (const columns of view.columns(statement)) texts ??= columns.map((rows) => rows.bytes(0));
  return texts;
}

/** Yields the elements without what closes the list, and returns whether there are none. */
async function* list(view: Snapshot, { elements, open, separator }: ListPart): AsyncGenerator<Rows, boolean> {
  let between = Buffer.from(open);
  let isEmpty = true;
  for await (const columns of view.columns(elements)) {
    let parts: TextPart[] = [];
    let bytes = 0;
    for (let row = 0; row < (columns[0]?.count ?? 0); row++) {
      const added: TextPart[] = [between, ...columns.map((of) => ({ of, row }))];
      parts.push(...added);
      bytes += added.reduce((sum, part) => sum + lengthOf(part), 0);
      between = Buffer.from(separator);
      // Short elements are yielded together.
      if (bytes < 64 * 1024) continue;
      yield new JoinedText(parts, true);
      [parts, bytes] = [[], 0];
    }
    isEmpty = false;
    if (parts.length > 0) yield new JoinedText(parts, true);
  }
  return isEmpty;
}

import { describe, expect, it } from "vitest";
import { compactArray } from "#app/http/pieces.ts";
import { JoinedText } from "#storage/engine/joined-text.ts";
import type { Rows } from "#storage/engine/rows.ts";

async function arrayOf(...batches: readonly Rows[]): Promise<string> {
  const pieces: Buffer[] = [];
  const given = (async function* given() {
    for (const rows of batches) yield await Promise.resolve(rows);
  })();
  for await (const piece of compactArray(given)) pieces.push(Buffer.from(piece));
  return Buffer.concat(pieces).toString();
}

const row = (text: string): Rows => new JoinedText([Buffer.from(text)], false);
const begun = (text: string): Rows => new JoinedText([Buffer.from(text)], true);

describe("an array of rows", () => {
  it("has commas between rows, and none between the pieces of a row", async () => {
    const long = "x".repeat(200_000);
    expect(await arrayOf(row("1"), begun('["'), begun(long), row('"]'), row("2"))).toBe(`[1,["${long}"],2]`);
    expect(await arrayOf(begun("["), row("]"))).toBe("[[]]");
    expect(await arrayOf()).toBe("[]");
  });
});

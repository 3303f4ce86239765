import { describe, expect, it } from "vitest";
import { JoinedText, wholeRows } from "#storage/engine/joined-text.ts";
import type { Rows } from "#storage/engine/rows.ts";

async function* batches(...given: readonly Rows[]): AsyncGenerator<Rows> {
  for (const rows of given) yield await Promise.resolve(rows);
}

const text = (...parts: string[]): JoinedText =>
  new JoinedText(
    parts.map((part) => Buffer.from(part)),
    false,
  );
const begun = (...parts: string[]): JoinedText =>
  new JoinedText(
    parts.map((part) => Buffer.from(part)),
    true,
  );

describe("a text made of parts", () => {
  const rows = new JoinedText([Buffer.from("é"), { of: text("", "bc"), row: 0 }, Buffer.from("d")], false);

  it("has the length of all parts, and can be copied", () => {
    expect(rows.length()).toBe(5);
    const target = Buffer.alloc(7, ".");
    rows.copy(0, target, 1);
    expect(target.toString()).toBe(".ébcd.");
    expect(rows.bytes().toString()).toBe("ébcd");
    expect(rows.texts()).toEqual(["ébcd"]);
  });
});

describe("rows that arrive in pieces", () => {
  it("are joined, also where a character is split between two pieces", async () => {
    const [first, second] = [Buffer.from("é").subarray(0, 1), Buffer.from("é").subarray(1)];
    const halves = [new JoinedText([first], true), new JoinedText([second], false)];
    const found: string[] = [];
    for await (const rows of wholeRows(batches(text("a"), begun("b", "c"), begun(), text("d"), ...halves, text("e"))))
      found.push(...rows.texts());
    expect(found).toEqual(["a", "bcd", "é", "e"]);
  });
});

import { expect, it } from "vitest";
import { BETWEEN_LINES } from "#storage/archive/export/json-sql.ts";
import { Lines } from "#storage/archive/export/lines.ts";

/** Adds lines as they come from the engine, in one text. */
function add(lines: Lines, texts: ReadonlyMap<number, string>): void {
  const parts = [...texts].map(([id, text]) => ({ id, text: `${text}${BETWEEN_LINES}` }));
  lines.addText(Buffer.from(parts.map(({ text }) => text).join("")));
  let at = 0;
  for (const { id, text } of parts) lines.add(id, at, (at += Buffer.byteLength(text)));
}

function written(lines: Lines, slots: Int32Array): string {
  const target = Buffer.alloc(lines.lengthOf(slots));
  lines.copy(slots, target, 0);
  return target.toString();
}

const far = 5_000_000;

it("lines are in the order of the requested ids, also repeated and distant ones", () => {
  const lines = new Lines();
  const slots = lines.slotsOf([far, 255, 256, far, 0]);
  expect(lines.requested).toStrictEqual([far, 255, 256, 0]);
  add(
    lines,
    new Map([
      [0, "nil"],
      [255, "größe"],
    ]),
  );
  add(
    lines,
    new Map([
      [256, "{}"],
      [far, "far"],
    ]),
  );
  lines.checkFound("edges");
  expect(written(lines, slots)).toBe(["far", "größe", "{}", "far", "nil"].join(BETWEEN_LINES));
});

it("lines that another set contains are read from there and not requested", () => {
  const kept = new Lines();
  kept.slotsOf([1, 2]);
  add(
    kept,
    new Map([
      [1, "one"],
      [2, "two"],
    ]),
  );
  const lines = new Lines(kept);
  const slots = lines.slotsOf([2, 3, 1]);
  expect(lines.requested).toStrictEqual([3]);
  add(lines, new Map([[3, "three"]]));
  expect(written(lines, slots)).toBe(["two", "three", "one"].join(BETWEEN_LINES));
});

it("lines that were not requested are skipped, and a missing one is named", () => {
  const lines = new Lines();
  lines.slotsOf(Array.from({ length: 1000 }, (_, id) => id));
  add(lines, new Map(Array.from({ length: 999 }, (_, id) => [id, `line ${id}`])));
  add(lines, new Map([[4711, "?"]]));
  expect(() => lines.checkFound("edges")).toThrow("edges has no row 999");
});

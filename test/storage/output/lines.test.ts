import { expect, it } from "vitest";
import { namesOf, tsvOf } from "#storage/output/lines.ts";
import { batchesOf, joined } from "./batches.ts";

const rows = [['{"a":"x\\ty","b":1.0}'], [], ['{"a":"one\\ntwo\\\\","b":{"c":null}}', '{"a":null,"b":2}']];

it("writes a line per row between tabs, with no tab or line break inside a value", async () => {
  const text = await joined(tsvOf(batchesOf(rows)));
  expect(text).toBe('a\tb\nx\\ty\t1.0\none\\ntwo\\\\\t{"c":null}\n\t2\n');
  expect(text.split("\n").every((line) => line === "" || line.split("\t").length === 2)).toBe(true);
  expect(await joined(tsvOf(batchesOf([]), { columns: ["b", "a"] }))).toBe("b\ta\n");
});

it("writes the first value of each row as a list without a header", async () => {
  expect(await joined(namesOf(batchesOf(rows)))).toBe("x\\ty\none\\ntwo\\\\\n\n");
  expect(await joined(namesOf(batchesOf([])))).toBe("");
});

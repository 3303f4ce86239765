import { describe, expect, it } from "vitest";
import { RowCounter } from "./row-counter.ts";

const answers: readonly [answer: string, rows: number][] = [
  ["[]", 0],
  ["[ ]", 0],
  ['[{"certname":"a"}]', 1],
  ['[{"certname":"a"},{"certname":"b"},{"certname":"c"}]', 3],
  ['[{"title":"a","list":[{"x":1},{"x":2}]},{"title":"b","list":[]}]', 2],
];

describe("counting the rows of a streamed array", () => {
  for (const [answer, rows] of answers) {
    it.each([1, 2, 7, 1000])(`finds ${rows} in ${answer}, in chunks of %d bytes`, (size) => {
      const counter = new RowCounter();
      for (let at = 0; at < answer.length; at += size) counter.add(Buffer.from(answer.slice(at, at + size)));
      expect(counter.rows).toBe(rows);
    });
  }
});

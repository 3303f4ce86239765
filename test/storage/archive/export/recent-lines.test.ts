import { describe, expect, it } from "vitest";
import { RecentLines } from "#storage/archive/export/recent-lines.ts";

const LINE = Buffer.from("ten bytes.");

type Step = number | { readonly ask: number };

describe("lines that may be needed again", () => {
  const cases: [what: string, steps: readonly Step[], id: number, isKept: boolean][] = [
    ["as long as there is room", [1, 2, 3, 4], 1, true],
    ["unless they are the oldest, when there is none", [1, 2, 3, 4, 5], 1, false],
    ["however old, when they were of use", [1, 2, 3, { ask: 1 }, 4], 1, true],
    ["not when others were", [1, 2, 3, { ask: 1 }, 4], 2, false],
  ];
  it.each(cases)("are kept %s", (_what, steps, id, isKept) => {
    const lines = new RecentLines(2 * LINE.length);
    for (const step of steps) {
      if (typeof step === "number") lines.set(step, LINE);
      else lines.get(step.ask);
    }
    expect(lines.get(id) !== undefined).toBe(isKept);
  });

  it("do not change with what they were part of", () => {
    const [block, lines] = [Buffer.from("one line, another"), new RecentLines(LINE.length)];
    lines.set(1, block.subarray(0, 8));
    block.fill("x");
    expect(lines.get(1)?.toString()).toBe("one line");
  });
});

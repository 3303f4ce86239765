import * as fc from "fast-check";
import { expect, test } from "vitest";
import { afterString, viewOf } from "#storage/wire/json-bytes.ts";

/** Characters of one to four bytes, and all that matter to the end of a string. */
const text = fc.string({
  unit: fc.oneof(
    fc.constantFrom('"', "\\", "!", "#", "[", "]", "\u0000", "\u00a2", "\u06dc"),
    fc.string({ unit: "binary", size: "xsmall" }),
  ),
  maxLength: 40,
});

test("the end of a string is found at any place and length, with any escapes", () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 5 }), text, fc.string({ maxLength: 5 }), (before, content, after) => {
      const [start, string] = [Buffer.from(before), Buffer.from(JSON.stringify(content))];
      const json = Buffer.concat([start, string, Buffer.from(after)]);
      expect(afterString(viewOf(json), start.length + 1)).toBe(start.length + string.length);
    }),
    { numRuns: 2000 },
  );
});

test("a string without a closing quote ends after the text, and an escape without its character later", () => {
  fc.assert(
    fc.property(text, fc.constantFrom("", "\\", '\\"'), (content, end) => {
      const json = Buffer.from(JSON.stringify(content).slice(0, -1) + end);
      expect(afterString(viewOf(json), 1)).toBe(json.length + (end === "\\" ? 2 : 1));
    }),
    { numRuns: 2000 },
  );
});

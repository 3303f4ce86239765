import { describe, expect, it } from "vitest";
import { arrayElements } from "#cli/sources/array-elements.ts";

async function elements(chunks: readonly string[]): Promise<string[]> {
  async function* stream(): AsyncGenerator<string> {
    yield* chunks;
  }
  const found: string[] = [];
  for await (const batch of arrayElements(stream())) found.push(...batch);
  return found;
}

describe("the elements of an array that arrives in pieces", () => {
  it.each<[string, string[]]>([
    ["[]", []],
    [" [ ] \n", []],
    ['[{"a":1},{"b":[2,{"c":3}]}]', ['{"a":1}', '{"b":[2,{"c":3}]}']],
    ['["]",  "\\"}", "\\\\", 1.0, null]', ['"]"', '"\\"}"', '"\\\\"', "1.0", "null"]],
    ['[ {\n  "a" : 1.0\n}, {\n  "b" : 2\n} ]', ['{"a":1.0}', '{"b":2}']],
  ])("are found in %j, split anywhere", async (text, expected) => {
    expect(await elements([text])).toStrictEqual(expected);
    expect(await elements(Array.from(text))).toStrictEqual(expected);
    for (let at = 1; at < text.length; at++) {
      expect(await elements([text.slice(0, at), text.slice(at)])).toStrictEqual(expected);
    }
  });

  it.each(["", "[", '[{"a":1},{"a"', '{"a":[1]}', "Not Found", "]", "[1] [2]", "[1] x", '["a]'])(
    "are an error in the incomplete array %j",
    async (text) => {
      await expect(elements([text])).rejects.toBeInstanceOf(SyntaxError);
      await expect(elements(Array.from(text))).rejects.toBeInstanceOf(SyntaxError);
    },
  );
});

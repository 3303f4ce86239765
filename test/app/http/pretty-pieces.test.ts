import { describe, expect, it } from "vitest";
import { PIECE } from "#app/http/pieces.ts";
import { prettyArray, prettyDocument } from "#app/http/pretty-pieces.ts";
import { pretty } from "#app/http/pretty.ts";
import { JoinedText } from "#storage/engine/joined-text.ts";
import type { Rows } from "#storage/engine/rows.ts";
import { type Json, parseJson } from "#storage/json.ts";

const rowsOf = async function* rowsOf(texts: readonly (readonly string[])[]): AsyncGenerator<Rows> {
  for (const parts of texts) {
    for (const [index, part] of parts.entries()) {
      yield await Promise.resolve(new JoinedText([Buffer.from(part)], index < parts.length - 1));
    }
  }
};

async function piecesOf(...texts: readonly (readonly string[])[]): Promise<Buffer[]> {
  const pieces: Buffer[] = [];
  for await (const piece of prettyArray(rowsOf(texts))) pieces.push(Buffer.from(piece));
  return pieces;
}

const textOf = async (...texts: readonly (readonly string[])[]): Promise<string> => {
  return Buffer.concat(await piecesOf(...texts)).toString();
};

const values: readonly Json[] = [
  {},
  [],
  [{}],
  { a: [] },
  { a: {}, b: [[], [1, [2, {}]]] },
  { a: { b: { c: null } }, d: [{ e: true }, { f: -1.5e300 }] },
  { 'quoted " and \\': "ends with \\", "brackets ]}": '{"no": [1, 2]}', comma: "a, b : c" },
  "text",
  { tab: "\t\n\u0001", far: "\u{1f600} é" },
];

describe("an indented array of rows", () => {
  it.each(values.map((value) => [JSON.stringify(value), value] as const))(
    "has the layout of %s",
    async (text, value) => {
      expect(await textOf([text], [text])).toBe(pretty([value, value]));
      // Each character alone, as in a document that comes in pieces.
      expect(await textOf(Array.from(text))).toBe(pretty([value]));
    },
  );

  it("has the layout of a single document", async () => {
    for (const value of values) {
      const pieces: Buffer[] = [];
      for await (const piece of prettyDocument(rowsOf([[JSON.stringify(value)]]))) pieces.push(Buffer.from(piece));
      expect(Buffer.concat(pieces).toString()).toBe(pretty(value));
    }
  });

  it("is empty without rows", async () => {
    expect(await textOf()).toBe("[ ]");
  });

  it("omits white space that the text has", async () => {
    expect(await textOf(['{ "a" :\n[ 1 ,\t2 ] , "b": { } }'])).toBe(pretty([{ a: [1, 2], b: {} }]));
  });

  it("keeps numbers and texts as they are written", async () => {
    expect(await textOf(['[1.0,12345678901234567890,"\\u00e9"]'])).toBe('[ [ 1.0, 12345678901234567890, "\\u00e9" ] ]');
  });

  it("has one document of megabytes in many pieces", async () => {
    const text = JSON.stringify(Array.from({ length: 100_000 }, (_, index) => ({ index })));
    const pieces = await piecesOf([text]);
    const sizes = pieces.slice(0, -1).map(({ length }) => length);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(PIECE);
    expect(Math.min(...sizes)).toBeGreaterThan(PIECE - 100);
    expect(parseJson(Buffer.concat(pieces).toString())).toEqual([parseJson(text)]);
  });
});

import { describe, expect, it } from "vitest";
import { boundaryOf, readMultipart } from "#app/archive/multipart.ts";

/** The named parts of a form that arrives in pieces of this many bytes, the first of each name. */
async function partsOf(form: string, size: number, boundary = "frontier"): Promise<Record<string, string>> {
  const bytes = Buffer.from(form, "latin1");
  async function* pieces(): AsyncGenerator<Buffer> {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  }
  const parts: Record<string, string> = {};
  const complete: string[] = [];
  await readMultipart(pieces(), boundary, (name) => {
    if (name === undefined || name in parts) return undefined;
    parts[name] = "";
    return {
      write: async (piece) => void (parts[name] += piece.toString("latin1")),
      end: async () => void complete.push(name),
    };
  });
  expect(complete).toEqual(Object.keys(parts));
  return parts;
}

const part = (name: string, content: string): string =>
  `--frontier\r\nContent-Disposition: form-data; name="${name}"; filename="x"\r\nContent-Type: text/plain\r\n\r\n${content}\r\n`;
const END = "--frontier--\r\n";
const MARGIN = "between ".repeat(20_000);

const forms: Readonly<Record<string, readonly [form: string, parts: Record<string, string>]>> = {
  "one part": [part("archive", "abc") + END, { archive: "abc" }],
  "two parts": [part("a", "1") + part("b", "2") + END, { a: "1", b: "2" }],
  "a part of a name that was there": [part("a", "1") + part("a", "2") + END, { a: "1" }],
  "no bytes": [part("a", "") + END, { a: "" }],
  "content that looks like a boundary": [
    part("a", "\r\n--fron\r\n--frontie\r-\n--frontier") + END,
    { a: "\r\n--fron\r\n--frontie\r-\n--frontier" },
  ],
  "line breaks at the end": [part("a", "x\r\n\r\n") + END, { a: "x\r\n\r\n" }],
  "160 kB before the first part": [`${MARGIN}\r\n${part("a", "1")}${END}`, { a: "1" }],
  "160 kB behind the last part": [part("a", "1") + END + MARGIN, { a: "1" }],
  "another form behind the last part": [part("a", "1") + END + part("b", "2") + END, { a: "1" }],
  "no line break behind the last boundary": [part("a", "1") + END.trimEnd(), { a: "1" }],
  "blanks behind a boundary": [(part("a", "1") + END).replace("frontier\r\n", "frontier \t\r\n"), { a: "1" }],
  "a name without quotes": ["--frontier\r\ncontent-disposition: form-data; name=a\r\n\r\n1\r\n" + END, { a: "1" }],
  "a part without headers": ["--frontier\r\n\r\n1\r\n" + part("a", "2") + END, { a: "2" }],
};

describe("a form with", () => {
  it.each(Object.entries(forms))("%s is read from pieces of any size", async (_, [form, expected]) => {
    for (const size of form.length > 1000 ? [1000, 65_536] : [1, 2, 3, 7, 1000]) {
      expect(await partsOf(form, size)).toEqual(expected);
    }
  });
});

const damaged: Readonly<Record<string, string>> = {
  "": "it ends before its last boundary",
  hello: "it ends before its last boundary",
  [part("a", "1")]: "it ends before its last boundary",
  [part("a", "1") + END.slice(0, 11)]: "it ends before its last boundary",
  [`--frontierman\r\n${END}`]: "a boundary is not alone in its line",
  [`--frontier\r\nX: ${"x".repeat(20_000)}\r\n\r\n1\r\n${END}`]: "a part has more than 16384 bytes of headers",
  [part("a", "1").repeat(65) + END]: "it has more than 64 parts",
  [part("a", "1") + END + "x".repeat(1_100_000)]: "it has more than 1048576 bytes outside of its parts",
  ["x".repeat(1_100_000) + END]: "it has more than 1048576 bytes outside of its parts",
};

describe("a form that", () => {
  it.each(Object.entries(damaged).map(([form, problem], n) => [n, problem, form] as const))(
    "is damaged (%i) is refused: %s",
    async (_, problem, form) => {
      await expect(partsOf(form, 4096)).rejects.toMatchObject({
        code: "bad-input",
        message: expect.stringContaining(problem) as string,
      });
    },
  );
});

describe("a boundary", () => {
  it.each([
    ["multipart/form-data; boundary=x", "x"],
    ['multipart/mixed; charset=utf-8; BOUNDARY="a b;c"', "a b;c"],
    ["multipart/form-data;boundary=----WebKitFormBoundaryX; x=y", "----WebKitFormBoundaryX"],
  ])("%s", (type, boundary) => {
    expect(boundaryOf(type)).toBe(boundary);
  });

  it.each([
    "multipart/form-data",
    "multipart/form-data; boundary=",
    `multipart/form-data; boundary=${"x".repeat(300)}`,
  ])("is missing: %s", (type) => {
    expect(() => boundaryOf(type)).toThrow("names no boundary");
  });
});

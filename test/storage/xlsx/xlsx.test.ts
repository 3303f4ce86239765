import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Open } from "unzipper";
import { afterAll, describe, expect, it } from "vitest";
import { writeXlsx } from "#storage/xlsx/write.ts";

const work = mkdtempSync(join(tmpdir(), "census-xlsx-"));
afterAll(() => rmSync(work, { recursive: true, force: true }));

type Batches = Iterable<readonly string[]>;

/** The parts of a workbook by their names. */
async function written(batches: Batches, columns?: readonly string[]): Promise<Record<string, string>> {
  const folder = mkdtempSync(join(work, "x-"));
  async function* rows(): AsyncGenerator<readonly string[]> {
    yield* batches;
  }
  const path = await writeXlsx(rows(), folder, { columns });
  expect(readdirSync(folder)).toEqual(["rows.xlsx"]);
  const { files } = await Open.buffer(readFileSync(path));
  const parts = await Promise.all(files.map(async (file) => [file.path, String(await file.buffer())] as const));
  return Object.fromEntries(parts);
}

async function rowsOf(batches: Batches, columns?: readonly string[]): Promise<string[]> {
  const sheet = (await written(batches, columns))["xl/worksheets/sheet1.xml"] ?? "";
  return [...sheet.matchAll(/<row r="\d+">(.*?)<\/row>/gs)].map(([, cells = ""]) => cells);
}

/** The cells of a column below its header. */
async function cells(...values: string[]): Promise<string[]> {
  const [, ...rows] = await rowsOf([values.map((value) => `{"v":${value}}`)]);
  return rows;
}

const text = (place: string, value: string): string =>
  `<c r="${place}" t="inlineStr"><is><t xml:space="preserve">${value}</t></is></c>`;

describe("a workbook", () => {
  it("consists of what Excel needs", async () => {
    const parts = await written([['{"a":1}']]);
    expect(Object.keys(parts).sort()).toEqual([
      "[Content_Types].xml",
      "_rels/.rels",
      "xl/_rels/workbook.xml.rels",
      "xl/styles.xml",
      "xl/workbook.xml",
      "xl/worksheets/sheet1.xml",
    ]);
    for (const part of Object.values(parts)) expect(part).toMatch(/^<\?xml version="1\.0" encoding="UTF-8"/);
  });

  it("has the columns of the first rows, or the known ones", async () => {
    const rows = ['{"a":"x","b":true}', '{"b":false,"c":1}'];
    const header = (place: string, name: string): string => text(place, name).replace(" t=", ' s="1" t=');
    expect(await rowsOf([[], rows])).toEqual([
      header("A1", "a") + header("B1", "b") + header("C1", "c"),
      `${text("A2", "x")}<c r="B2" t="b"><v>1</v></c>`,
      '<c r="B3" t="b"><v>0</v></c><c r="C3"><v>1</v></c>',
    ]);
    expect(await rowsOf([rows], ["b"])).toEqual([
      header("A1", "b"),
      '<c r="A2" t="b"><v>1</v></c>',
      '<c r="A3" t="b"><v>0</v></c>',
    ]);
    expect(await rowsOf([], ["b"])).toEqual([header("A1", "b")]);
  });

  it("has numbers that Excel keeps as numbers", async () => {
    expect(await cells("1", "-2.50", "123456789012345", "1234567890123456", "0.1234567890123456789")).toEqual([
      '<c r="A2"><v>1</v></c>',
      '<c r="A3"><v>-2.50</v></c>',
      '<c r="A4"><v>123456789012345</v></c>',
      text("A5", "1234567890123456"),
      text("A6", "0.1234567890123456789"),
    ]);
  });

  it("has times as dates", async () => {
    expect(await cells('"2026-11-20T12:00:00.000Z"', '"1900-01-01T00:00:00Z"', '"2026-11-20"')).toEqual([
      '<c r="A2" s="2"><v>46346.5</v></c>',
      text("A3", "1900-01-01T00:00:00Z"),
      text("A4", "2026-11-20"),
    ]);
  });

  it("has any text, none of which is a formula", async () => {
    expect(await cells('"=1+1"', '"<a> & b"', '"\\u0000\\r\\n_x0041_"', '{"x":[1.0]}', "null")).toEqual([
      text("A2", "=1+1"),
      text("A3", "&lt;a&gt; &amp; b"),
      text("A4", "_x0000__x000D_\n_x005F_x0041_"),
      text("A5", '{"x":[1.0]}'),
      "",
    ]);
  });

  it("names columns as Excel does", async () => {
    const columns = Array.from({ length: 703 }, (_, index) => `c${index}`);
    const [header = ""] = await rowsOf([], columns);
    expect(["Z", "AA", "AZ", "BA", "ZZ", "AAA"].every((letters) => header.includes(`r="${letters}1"`))).toBe(true);
  });

  it.each<[what: string, batches: () => Batches, columns: number, error: RegExp]>([
    ["rows", many, 1, /more than 1,048,575 rows/],
    ["columns", () => [], 16_385, /more than 16,384 columns/],
    [
      "characters",
      () => [[JSON.stringify({ c0: "x".repeat(32_768) })]],
      1,
      /column "c0" has more than 32,767 characters/,
    ],
  ])("is refused for more %s than Excel reads", async (_what, batches, count, error) => {
    const columns = Array.from({ length: count }, (_, index) => `c${index}`);
    await expect(written(batches(), columns)).rejects.toThrow(error);
  });
});

function* many(): Generator<readonly string[]> {
  const batch = Array.from({ length: 2 ** 16 }, () => "{}");
  for (let count = 0; count < 16; count++) yield batch;
}

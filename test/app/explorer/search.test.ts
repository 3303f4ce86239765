import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isObject, type Json, type JsonObject, parseJson } from "#storage/json.ts";
import { cellText } from "#storage/output/cells.ts";
import type { Finding } from "#storage/search/finding.ts";
import type { SearchKind } from "#storage/search/kinds.ts";
import { command, emptyStore } from "#test/fixture-store.ts";
import { populationCommands } from "../../../fixtures/population.ts";
import { Random } from "../../../fixtures/random.ts";
import { queryPath, serve, type Served } from "../fixture-service.ts";
import { apiPath } from "./api-path.ts";

interface Answer {
  readonly total: number;
  readonly findings: readonly Finding[];
  readonly isComplete: boolean;
}

let served: Served;

beforeAll(async () => {
  const store = await emptyStore();
  const options = { nodes: 25, seed: 11, reportsPerNode: 2, factLeaves: 90, resources: 30 };
  for (const { command: name, payload } of populationCommands({ ...options, baseTime: "2026-11-20T12:00:00.000Z" })) {
    await store.submit(command(name, payload));
  }
  served = await serve(store);
});
afterAll(() => served.close());

async function found(q: string, kind: SearchKind, limit = 1000): Promise<Answer> {
  const { status, text } = await served.get(apiPath("search", { q, kind, limit: String(limit) }));
  expect(status).toBe(200);
  return JSON.parse(text) as Answer;
}

async function rows(query: string): Promise<JsonObject[]> {
  return parseJson((await served.get(queryPath("", { query }))).text) as JsonObject[];
}

const has = (text: string, words: readonly string[]): boolean =>
  words.every((word) => text.toLowerCase().includes(word.toLowerCase()));

/** Texts with the number of their rows. */
function counted(texts: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const text of texts) counts[text] = (counts[text] ?? 0) + 1;
  return counts;
}

const field = (row: JsonObject, name: string): string => cellText(row[name]);
const isClass = (row: JsonObject): boolean => row["type"] === "Class";

/** What contains the words, of each kind, with the number of nodes: computed from all rows. */
const plain: Readonly<Partial<Record<SearchKind, (words: readonly string[]) => Promise<Record<string, number>>>>> = {
  node: async (words) =>
    counted((await rows("nodes[certname]{}")).map((row) => field(row, "certname")).filter((name) => has(name, words))),
  class: async (words) =>
    counted(
      (await rows("resources[type, title]{}"))
        .filter((row) => isClass(row) && has(field(row, "title"), words))
        .map((row) => field(row, "title")),
    ),
  resource: async (words) =>
    counted(
      (await rows("resources[type, title]{}"))
        .filter((row) => !isClass(row))
        .filter((row) => words.every((word) => has(field(row, "type"), [word]) || has(field(row, "title"), [word])))
        .map((row) => `${field(row, "type")}[${field(row, "title")}]`),
    ),
  parameter: async (words) =>
    counted(
      (await rows("resources[type, title, parameters]{}")).flatMap((row) =>
        Object.entries(isObject(row["parameters"]) ? row["parameters"] : {})
          .map(([name, value]) => [`${field(row, "type")}[${field(row, "title")}] ${name}`, cellText(value)] as const)
          .filter(([name, value]) => has(`${name} ${value}`, words) && words.some((word) => has(value, [word])))
          .map(([name, value]) => `${name} = ${value}`),
      ),
    ),
  package: async (words) =>
    counted(
      (await rows("package_inventory[package_name]{}"))
        .map((row) => field(row, "package_name"))
        .filter((name) => has(name, words)),
    ),
};

/** A part of a text that some row has, or two of them. */
function wordsFrom(texts: readonly string[], random: Random): string {
  const part = (): string => {
    const text = random.pick(texts);
    const from = random.integer(0, Math.max(0, text.length - 3));
    return text.slice(from, from + random.integer(2, 9)).replaceAll(/[\s"]+/g, "");
  };
  return (random.chance(0.3) ? `${part()} ${part()}` : part()).trim();
}

const label = ({ name, match }: Finding): string => [name, match].filter((text) => text !== null).join(" = ");

/** Facts with a word in their values. */
const leaves = (many: number, word: string): Record<string, string> =>
  Object.fromEntries(Array.from({ length: many }, (_, at) => [`${word}_${at}`, `${word} ${at}`]));

describe("the endpoint of search", () => {
  it("finds what plain queries and a comparison of all rows find, for random words", async () => {
    const random = new Random("search", 1);
    const texts: Record<string, string[]> = {
      node: (await rows("nodes[certname]{}")).map((row) => field(row, "certname")),
      class: (await rows('resources[title]{ type = "Class" }')).map((row) => field(row, "title")),
      resource: (await rows("resources[title]{}")).map((row) => field(row, "title")),
      parameter: (await rows("resources[parameters]{}")).flatMap(({ parameters }) =>
        Object.values(parameters as Record<string, Json>).map(cellText),
      ),
      package: (await rows("package_inventory[package_name]{}")).map((row) => field(row, "package_name")),
    };
    let hits = 0;
    for (const [kind, find] of Object.entries(plain) as [SearchKind, NonNullable<(typeof plain)[SearchKind]>][]) {
      for (let round = 0; round < 12; round++) {
        const q = wordsFrom(texts[kind] ?? [], random);
        const words = q.split(" ").filter((word) => word !== "");
        if (words.length === 0) continue;
        const expected = await find(words);
        const { total, findings, isComplete } = await found(q, kind);
        expect({ kind, q, total, isComplete }).toStrictEqual({
          kind,
          q,
          total: Object.keys(expected).length,
          isComplete: true,
        });
        const counts = kind === "node" ? findings.map(() => 1) : findings.map(({ count }) => count);
        const shown = Object.fromEntries(findings.map((finding, at) => [label(finding), counts[at]]));
        const listed = Object.keys(shown);
        expect(listed).toHaveLength(Math.min(1000, total));
        expect({ kind, q, shown }).toStrictEqual({
          kind,
          q,
          shown: Object.fromEntries(listed.map((name) => [name, expected[name]])),
        });
        hits += total;
      }
    }
    expect(hits).toBeGreaterThan(500);
  });

  it("takes several words in quotes as one, and limits what it returns, the best first", async () => {
    const { findings } = await found('"could not retrieve catalog"', "log");
    expect(findings.length).toBeGreaterThan(0);
    expect(findings.every(({ match }) => /could not retrieve catalog/i.test(match ?? ""))).toBe(true);
    const all = await found("chrony", "class");
    expect(all.findings[0]).toStrictEqual({ name: "Chrony", match: null, count: all.findings[0]?.count });
    const few = await found("chrony", "class", 2);
    expect(few).toMatchObject({ total: all.total, findings: all.findings.slice(0, 2) });
  });

  it("looks at a part only where nearly everything has the words", async () => {
    const long = "x".repeat(3_000_000);
    const store = await emptyStore();
    const values = Object.fromEntries(Array.from({ length: 4 }, (_, at) => [`fact_${at}`, `${at} ${long}`]));
    for (const certname of ["a", "b"]) {
      const payload = {
        certname,
        environment: "e",
        producer_timestamp: "2026-11-20T12:00:00Z",
        producer: null,
        values,
      };
      await store.submit(command("replace facts", payload));
    }
    const heavy = await serve(store);
    const { status, text } = await heavy.get(apiPath("search", { q: "xxxx", kind: "fact" }));
    expect([status, JSON.parse(text)]).toMatchObject([200, { isComplete: false }]);
    expect((JSON.parse(text) as Answer).findings.length).toBeLessThan(4);
    await heavy.close();
  });

  it("says where there is more than it looked at", async () => {
    const store = await emptyStore();
    const payload = {
      certname: "a",
      environment: "e",
      producer_timestamp: "2026-11-20T12:00:00Z",
      producer: null,
      values: { many: leaves(20_001, "needle"), fewer: leaves(1000, "haystack") },
    };
    await store.submit(command("replace facts", payload));
    const large = await serve(store);
    const search = async (q: string): Promise<Answer> =>
      JSON.parse((await large.get(apiPath("search", { q, kind: "fact" }))).text) as Answer;
    expect(await search("needle 1")).toMatchObject({ isComplete: false });
    expect(await search("haystack")).toMatchObject({ isComplete: true });
    await large.close();
  });

  it("writes the rows of several kinds as a file", async () => {
    const path = apiPath("search/rows", { q: "chrony", kind: ["class", "package"], format: "ndjson", limit: "5" });
    const { status, text, headers } = await served.get(path);
    expect([status, headers["content-disposition"]]).toEqual([200, 'attachment; filename="search-2026-11-21.ndjson"']);
    const written = text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as unknown);
    const kinds = await Promise.all(
      (["class", "package"] as const).map(async (kind) =>
        (await found("chrony", kind, 5)).findings.map(({ name, match, count }) => ({ kind, name, match, count })),
      ),
    );
    expect(written).toStrictEqual(kinds.flat());
    const csv = await served.get(apiPath("search/rows", { q: "chrony", format: "csv" }));
    expect(csv.text).toMatch(/^kind,name,match,count\r?\n/);
  });

  it.each([
    ["no words", { kind: "node" }, "parameter 'q' is missing"],
    ["an empty text", { q: ' "" ', kind: "node" }, "parameter 'q' must have from 1 to 20 words, not 0"],
    ["too many words", { q: "ab ".repeat(21), kind: "node" }, "parameter 'q' must have from 1 to 20 words, not 21"],
    ["an unknown kind", { q: "a", kind: "mood" }, "parameter 'kind' must be one of node, class"],
    ["too many findings", { q: "a", kind: "node", limit: "1001" }, "parameter 'limit' must be a whole number"],
  ])("refuses %s in plain text", async (_, parameters, message) => {
    const answer = await served.get(apiPath("search", parameters));
    expect([answer.status, answer.headers["content-type"]]).toEqual([400, "text/plain;charset=utf-8"]);
    expect(answer.text).toContain(message);
  });

  it("refuses an unknown format", async () => {
    const { status, text } = await served.get(apiPath("search/rows", { q: "a", format: "parquet" }));
    expect([status, text]).toEqual([400, expect.stringContaining("parameter 'format' must be one of csv")]);
  });
});

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CensusError } from "#storage/errors.ts";
import { type RowReader, type SearchKind, searches, textQueries, searchKinds } from "#storage/search/kinds.ts";
import { search } from "#cli/search/search.ts";
import type { OpenSource } from "#cli/sources/open-source.ts";
import { openSource } from "#cli/sources/source.ts";
import type { Running } from "#test/running.ts";
import { archiveDocuments, type ArchiveDocuments, latestReports } from "../archive-documents.ts";
import { census, SAMPLE, startServer } from "../census.ts";

let documents: ArchiveDocuments;
let server: Running;
let archive: OpenSource;
let remote: OpenSource;

beforeAll(async () => {
  documents = await archiveDocuments(SAMPLE);
  server = await startServer(["open", SAMPLE, "--port", "0"]);
  archive = await openSource({ kind: "archive", path: SAMPLE, clock: undefined, cached: false });
  remote = await openSource({ kind: "url", contact: { url: server.url } });
});
afterAll(async () => {
  await archive.close();
  await remote.close();
  await server.stop();
});

interface Row {
  readonly kind: SearchKind;
  readonly name: string | null;
  readonly match: string | null;
  readonly count: number | null;
}

const ALL = 1_000_000;

async function found(words: string, kind: SearchKind, source: OpenSource): Promise<Row[]> {
  const { rows } = await search(words.split(" "), [kind], ALL, source);
  return rows as unknown as Row[];
}

const has = (text: string, words: string): boolean =>
  words.split(" ").every((word) => text.toLowerCase().includes(word.toLowerCase()));

/** Leaves of a value with their dotted paths. */
function leaves(value: unknown, path: string): [path: string, value: unknown][] {
  if (typeof value !== "object" || value === null) return [[path, value]];
  return Object.entries(value).flatMap(([name, child]) => leaves(child, path === "" ? name : `${path}.${name}`));
}

const allLeaves = (): [path: string, value: unknown][] => documents.facts.flatMap(({ values }) => leaves(values, ""));

const resources = () => documents.catalogs.flatMap((catalog) => catalog.resources);

/** What of the archive contains the words, as names and matches; computed from its documents. */
const expected: Readonly<Record<SearchKind, (words: string) => string[]>> = {
  node: (words) => documents.facts.map(({ certname }) => certname).filter((name) => has(name, words)),
  class: (words) =>
    resources()
      .filter(({ type, title }) => type === "Class" && has(title, words))
      .map(({ title }) => title),
  resource: (words) =>
    resources()
      .filter(({ type, title }) => type !== "Class" && has(`${type} ${title}`, words))
      .map(({ type, title }) => `${type}[${title}]`),
  fact: (words) => [
    ...allLeaves()
      .filter(([path, value]) => {
        const top = path.split(".")[0] ?? "";
        return has(`${top} ${String(value)}`, words) && words.split(" ").some((word) => has(String(value), word));
      })
      .map(([path, value]) => `${path} = ${String(value)}`),
    ...allLeaves()
      .map(([path]) => path)
      .filter((path) => has(path, words)),
  ],
  parameter: (words) =>
    resources().flatMap(({ type, title, parameters }) =>
      Object.entries(parameters).flatMap(([name, value]) => {
        const match = typeof value === "string" ? value : JSON.stringify(value);
        const label = `${type}[${title}] ${name}`;
        const isFound = has(`${label} ${match}`, words) && words.split(" ").some((word) => has(match, word));
        return isFound ? [`${label} = ${match}`] : [];
      }),
    ),
  package: (words) =>
    documents.facts
      .flatMap(({ package_inventory: list = [] }) => list.map(([name]) => name))
      .filter((name) => has(name, words)),
  // Tested below: the hash of a report is in no document.
  report: () => [],
  message: (words) =>
    documents.reports
      .flatMap((report) => report.resources.flatMap(({ events }) => events.map(({ message }) => message ?? "")))
      .filter((message) => has(message, words)),
  log: (words) =>
    latestReports(documents)
      .flatMap(({ logs }) => logs.map(({ message }) => message))
      .filter((message) => has(message, words)),
};

const label = ({ name, match }: Row): string => [name, match].filter((text) => text !== null).join(" = ");

describe("census search", () => {
  it.each<[kind: SearchKind, words: string]>([
    ["node", "BERTH"],
    ["node", "tollhouse 0024"],
    ["class", "role"],
    ["resource", "chrony service"],
    ["resource", "[/etc/chrony"],
    ["fact", "debian"],
    ["fact", "swap"],
    ["fact", "os redhat"],
    ["parameter", "0644"],
    ["parameter", "chrony restart"],
    ["parameter", "FILE Pe-puppet 0644"],
    ["parameter", '["agent-a"'],
    ["package", "openss"],
  ])("finds each %s with %s", async (kind, words) => {
    const names = [...new Set(expected[kind](words))].sort();
    expect((await found(words, kind, archive)).map(label).sort()).toStrictEqual(names);
    expect((await found(words, kind, remote)).map(label).sort()).toStrictEqual(names);
  });

  it("finds something of each of these kinds", () => {
    expect(expected.parameter("0644").length).toBeGreaterThan(10);
    expect(expected.parameter('["agent-a"').length).toBeGreaterThan(3);
    expect(expected.fact("swap").length).toBeGreaterThan(3);
    expect(expected.package("openss").length).toBeGreaterThan(10);
  });

  it.each<[kind: "message" | "log", words: string]>([
    ["message", "could not"],
    ["log", "could not"],
    ["log", "applied catalog"],
  ])("finds each %s with %s, and counts those that differ in numbers only together", async (kind, words) => {
    const texts = expected[kind](words);
    const rows = await found(words, kind, archive);
    expect(rows.reduce((sum, { count }) => sum + (count ?? 0), 0)).toBe(texts.length);
    expect(rows.every(({ match }) => texts.includes(match ?? ""))).toBe(true);
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.length).toBeLessThan(texts.length);
    expect(await found(words, kind, remote)).toHaveLength(rows.length);
  });

  it("finds reports by the first digits of their hash, and by their configuration version", async () => {
    const rows: { hash: string; configuration_version: string }[] = [];
    for await (const batch of (await archive.query("reports[hash, configuration_version] {}")).rows)
      rows.push(...batch.map((text) => JSON.parse(text) as (typeof rows)[number]));
    const [first, second] = rows;
    const words = [first?.hash, second?.hash.slice(0, 6).toUpperCase(), first?.hash.slice(0, 5), "abcdef"];
    for (const word of [...words, second?.configuration_version ?? "", "179"]) {
      const wanted = (word ?? "").toLowerCase();
      const names = rows
        .filter(({ hash, configuration_version: version }) => version === word || hash.startsWith(wanted))
        .filter(({ configuration_version: version }) => version === word || wanted.length >= 6)
        .map(({ hash, configuration_version: version }) => (hash.startsWith(wanted) ? hash : `${hash} = ${version}`));
      for (const source of [archive, remote])
        expect((await found(word ?? "", "report", source)).map(label).sort()).toStrictEqual(names.toSorted());
    }
    expect(await found(first?.hash ?? "", "report", archive)).toMatchObject([{ name: first?.hash, match: null }]);
    const ofVersion = await found(second?.configuration_version ?? "", "report", archive);
    expect(ofVersion).toContainEqual(
      expect.objectContaining({ name: second?.hash, match: second?.configuration_version }),
    );
    expect(await found(`${first?.hash ?? ""} failed`, "report", archive)).toStrictEqual([]);
  });

  it("lists what is equal first, then what begins with the words", async () => {
    const { rows } = await search(["chrony"], ["class", "package"], 3, archive);
    expect(rows.map(({ name }) => name)).toStrictEqual(["Chrony", ...rows.slice(1).map(({ name }) => name)]);
    const { rows: few, total } = await search(["e"], searchKinds, 2, archive);
    expect(few.length).toBeLessThanOrEqual(2 * searchKinds.length);
    expect(total).toBeGreaterThan(few.length);
  });

  it("finds nothing without an error, and refuses an unknown kind", async () => {
    expect(await census(["search", "zzzz-nowhere", "--archive", SAMPLE])).toMatchObject({ code: 0, stdout: "[]\n" });
    const { code, stderr } = await census(["search", "a", "--kind", "facts", "--archive", SAMPLE]);
    expect({ code, stderr }).toStrictEqual({
      code: 2,
      stderr: 'census: search: unknown kind "facts"; did you mean fact?\n',
    });
  });
});

/** The rows of a server that fails to group by path, as PuppetDB 7 does. */
function readUngrouped(query: string): ReturnType<RowReader["rows"]> {
  if (query.includes("group by path")) return Promise.reject(new CensusError("bad-file", "returned HTTP 500"));
  const nodes = query.startsWith("fact_contents") ? ["a", "b"] : [];
  return Promise.resolve(nodes.map((certname) => ({ certname, path: ["os", "name"], value: "Linux" })));
}

it("counts the values of facts where a server fails to group by path", async () => {
  const expected = [{ name: "os.name", match: "Linux", count: 2, subject: { path: ["os", "name"] } }];
  const read: RowReader = {
    rows: readUngrouped,
    containing: async (texts, words) => readUngrouped(textQueries[texts](words)),
  };
  expect(await searches.fact(["linux"], read)).toStrictEqual(expected);
});

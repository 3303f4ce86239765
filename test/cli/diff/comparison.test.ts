import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readChoices } from "#cli/diff/choices.ts";
import { type ComparisonArguments, readComparison } from "#cli/diff/comparison.ts";
import { UsageError } from "#cli/errors.ts";
import { workFolder } from "../census.ts";

const folder = workFolder();
const archive = join(folder, "old.tgz");
const data = join(folder, "data");
writeFileSync(archive, "");
mkdirSync(data);
writeFileSync(join(data, "census.duckdb"), "");

const url = "https://puppetdb:8081";
const first = "0123456789abcdef0123456789abcdef01234567";
const second = first.toUpperCase();

const anArchive = (path: string): object => ({ kind: "archive", path, clock: undefined, cached: true });

describe("the two sides of census diff", () => {
  it.each<[words: string[], args: ComparisonArguments, nodes: string[], expected: object]>([
    [[archive, archive], {}, [], { kind: "populations", from: anArchive(archive), to: anArchive(archive) }],
    [
      [data, url],
      {},
      [],
      { kind: "populations", from: { kind: "data", path: data }, to: { kind: "url", contact: { url } } },
    ],
    [
      [archive, url],
      {},
      ["a", "b", "c=d"],
      {
        kind: "nodes",
        pairs: [
          { from: "a", to: "a" },
          { from: "b", to: "b" },
          { from: "c", to: "d" },
        ],
      },
    ],
    [
      ["web-01", "web-02"],
      { archive },
      [],
      { kind: "nodes", from: anArchive(archive), to: undefined, pairs: [{ from: "web-01", to: "web-02" }] },
    ],
    [
      ["web-01"],
      { data, since: "2d" },
      ["a=b"],
      {
        kind: "times",
        source: { kind: "data", path: data },
        // How it is read: cli/moment.test.ts.
        since: { seen: expect.any(Function) as unknown },
        until: undefined,
        pairs: [
          { from: "web-01", to: "web-01" },
          { from: "a", to: "b" },
        ],
      },
    ],
    [[], { since: "2d" }, [], { kind: "times", source: { kind: "url" }, pairs: [] }],
    [[first, second], { url }, [], { kind: "reports", source: { kind: "url" }, from: first, to: first }],
    [[archive, "gone.tgz"], {}, [], { kind: "populations", to: anArchive("gone.tgz") }],
  ])("%j with %j and nodes %j", (words, args, nodes, expected) => {
    expect(readComparison([...words, ...nodes], args)).toMatchObject(expected);
  });

  it.each<[words: string[], args: ComparisonArguments, nodes: string[], text: RegExp]>([
    [
      [],
      {},
      [],
      /^diff: needs two sources \(census diff old\.tgz new\.tgz\), two certnames or .* --archive FILE.* or a time/,
    ],
    [[archive], {}, [], /^diff: needs two sources/],
    [["web-01"], { archive }, [], /^diff: needs two sources/],
    [
      ["web-01", "web-02"],
      {},
      [],
      /^diff: "web-01" is not a file, .*two nodes.*: census diff --archive FILE web-01 web-02$/,
    ],
    [[first, second], {}, [], /to compare two reports of one source: census diff --archive FILE [0-9a-f]{40} /],
    [
      ["web-01", first],
      { data },
      [],
      /^diff: 0123\w+ is a report hash and "web-01" is not; give two certnames or two report hashes$/,
    ],
    [["web-01", "web-02"], { archive }, ["x"], /^diff: unexpected argument "x"; with --archive, give two certnames$/],
    [[archive, archive], {}, ["a=b=c"], /^diff: a node must be CERTNAME or OLD=NEW, not "a=b=c"$/],
    [[archive, archive], {}, ["=b"], /^diff: a node must be CERTNAME/],
    [["a", "b"], { archive, url }, [], /^diff: --archive and --url cannot be used together$/],
    [[archive, url], { now: "2026-11-20T12:00:00Z" }, [], /^diff: --now needs an archive/],
  ])("are rejected: %j with %j and nodes %j", (words, args, nodes, text) => {
    expect(() => readComparison([...words, ...nodes], args)).toThrow(UsageError);
    expect(() => readComparison([...words, ...nodes], args)).toThrow(text);
  });
});

describe("the places that census diff shows", () => {
  const nothing = { ignore: [], ignoreParameter: [], ignoreTags: false, locations: false, volatile: false };

  it("are by default all but those that always differ", () => {
    const { parts, visibility, tags, locations } = readChoices({ ...nothing, only: undefined });
    expect([...parts]).toStrictEqual(["nodes", "facts", "packages", "resources", "edges", "reports"]);
    expect({ tags, locations }).toStrictEqual({ tags: true, locations: false });
    expect(visibility("facts", "load_averages.1m")).toBe("volatile");
    expect(readChoices({ ...nothing, only: undefined, volatile: true }).visibility("facts", "uptime")).toBe("shown");
  });

  it("can be limited to parts, without some places and parameters", () => {
    const { parts, visibility } = readChoices({
      ...nothing,
      only: "facts,edges",
      ignore: ["facts:networking.*", "edges:Class[Main] contains *"],
      ignoreParameter: ["content,source", "mode"],
    });
    expect([...parts]).toStrictEqual(["nodes", "facts", "edges"]);
    expect(visibility("facts", "networking.ip")).toBe("ignored");
    expect(visibility("edges", "Class[Main] contains File[/x]")).toBe("ignored");
    expect(visibility("resources", "File[/x]::source.a")).toBe("ignored");
    expect(visibility("resources", "File[/x]::owner")).toBe("shown");
  });

  it.each([
    [{ only: "facts,nodse" }, /^diff: --only must list some of facts,packages,resources,edges,reports, not "nodse"$/],
    [{ ignore: ["uptime*"] }, /^diff: --ignore must be PART:PATTERN, e\.g\. 'facts:uptime\*', .* not "uptime\*"$/],
    [{ ignore: ["fact:uptime"] }, /^diff: --ignore must be PART:PATTERN, .* one of nodes, facts,/],
  ])("are rejected: %j", (choices, text) => {
    expect(() => readChoices({ only: undefined, ...nothing, ...choices })).toThrow(text);
  });
});

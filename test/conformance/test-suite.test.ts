import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { judgeCorpus } from "./judge-corpus.ts";
import { readTestSuite } from "./test-suite.ts";

/** Files as those of oracle/corpus-8.8, with one population and requests whose answers are known. */
const facts = { certname: "a", environment: "DEV", values: { x: 5 }, producer_timestamp: "NOW", producer: null };
const worlds = [{ world: "one", commands: [{ command: "replace facts", version: 5, certname: "a", payload: facts }] }];
const question = { test: "t", method: "GET", query: "", body: null, status: 200, records: null, peer_same: true };
const questions = [
  {
    ...question,
    id: "rows",
    world: "one",
    uri: "/pdb/query/v4/factsets",
    query: "query=%5B%22extract%22%2C%5B%22certname%22%2C%22producer_timestamp%22%5D%5D",
    asserts: 2,
    json: [{ certname: "a", producer_timestamp: "NOW" }],
  },
  {
    ...question,
    id: "wrong",
    world: "one",
    uri: "/pdb/query/v4/facts/x",
    asserts: 1,
    json: [{ certname: "a", environment: "DEV", name: "x", value: 6 }],
  },
  {
    ...question,
    id: "posted",
    world: "one",
    method: "POST",
    uri: "/pdb/query/v4/nodes",
    body: '{"query":["=","bogus"]}',
    status: 400,
    text: "= requires exactly two arguments",
  },
];
const failing = [
  { ...question, id: "empty", world: "none", uri: "/pdb/query/v4/nodes", compare: "status", json: null },
];

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "census-test-suite-"));
  for (const [name, lines] of Object.entries({ worlds, questions, failing })) {
    writeFileSync(join(directory, `${name}.ndjson`), lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  }
});
afterAll(() => rmSync(directory, { recursive: true }));

describe("the corpus of PuppetDB's own tests", () => {
  it("loads each population into a server of its own and judges its queries", async () => {
    const read = readTestSuite(directory);
    expect(read.map(({ population, recordings }) => [population.length, recordings.length])).toEqual([
      [1, 3],
      [0, 1],
    ]);
    const { judgements, refused } = await judgeCorpus({ name: "puppetdb-tests", worlds: read });
    expect(refused).toEqual([]);
    expect(judgements.map(({ recording, verdict }) => [recording.id, verdict.kind])).toEqual([
      ["rows", "right"],
      ["wrong", "wrong"],
      ["posted", "right"],
      ["empty", "right"],
    ]);
  });

  it("has too many populations for one server", async () => {
    const corpus = { name: "puppetdb-tests", worlds: readTestSuite(directory) } as const;
    await expect(judgeCorpus(corpus, { url: "http://127.0.0.1:1" })).rejects.toThrow("has 2 populations");
  });
});

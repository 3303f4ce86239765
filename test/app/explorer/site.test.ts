import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { serve, type Served } from "#test/app/fixture-service.ts";
import { temporaryFolder } from "#test/fixture-folder.ts";
import { emptyStore } from "#test/fixture-store.ts";

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let path: string;
let service: Served;

beforeAll(async () => {
  folder = await temporaryFolder();
  path = join(folder.path, "queries.yaml");
  service = await serve(await emptyStore(), { explorer: { site: path } });
});
afterAll(async () => {
  await service.close();
  await folder[Symbol.asyncDispose]();
});

async function answered(of: Served = service): Promise<unknown> {
  const { status, text, headers } = await of.get("/explorer/api/v1/site");
  expect([status, headers["cache-control"]]).toEqual([200, "no-store"]);
  return JSON.parse(text);
}

describe("what a site shares", () => {
  it("has the queries of the current file, except SQL and those with a parameter without a value", async () => {
    writeFileSync(
      path,
      `title: Our site
parameters: { name: web-01, open: }
queries:
  - name: one
    query: nodes[certname] { certname = $name }
    expect: rows
    panel: bars
  - { name: two, query: [from, nodes] }
  - { name: three, sql: SELECT 1 }
  - { name: four, query: "nodes { certname = $open }" }
`,
    );
    expect(await answered()).toEqual({
      title: "Our site",
      queries: [
        { name: "one", language: "pql", text: 'nodes[certname] { certname = "web-01" }', panel: "bars" },
        { name: "two", language: "ast", text: '["from","nodes"]', panel: "none" },
      ],
      views: [],
      links: [],
      problem: null,
    });
    writeFileSync(path, "queries:\n  - name: other\n    query: facts {}\n");
    expect(await answered()).toEqual({
      title: null,
      queries: [{ name: "other", language: "pql", text: "facts {}", panel: "none" }],
      views: [],
      links: [],
      problem: null,
    });
  });

  it("has views and links, and queries in SQL where the workbench runs it", async () => {
    writeFileSync(
      path,
      `views:
  - { name: Failed, address: 'https://census.example.com/explorer/nodes?f=state%3D%22failed%22#top' }
links:
  - { label: CMDB, on: node, url: 'https://cmdb.example.com/hosts/{certname}?of={environment}' }
queries:
  - { name: three, sql: SELECT 1 }
`,
    );
    const runsSql = await serve(await emptyStore(), { explorer: { site: path, sql: true } });
    expect(await answered(runsSql)).toEqual({
      title: null,
      queries: [{ name: "three", language: "sql", text: "SELECT 1", panel: "none" }],
      views: [{ name: "Failed", address: "/explorer/nodes?f=state%3D%22failed%22#top" }],
      links: [{ label: "CMDB", on: "node", url: "https://cmdb.example.com/hosts/{certname}?of={environment}" }],
      problem: null,
    });
    await runsSql.close();
  });

  it("is an error with its place if no page has the address of a view", async () => {
    writeFileSync(path, "views:\n  - name: a\n    address: /explorer/noodles?x=1\n");
    expect(await answered()).toMatchObject({
      problem: "queries.yaml:3:14: the explorer has no page /explorer/noodles",
    });
  });

  it("is the error of an invalid file and its place, without the folder", async () => {
    writeFileSync(path, "queries:\n  - name: a\n    qury: nodes{}\n");
    expect(await answered()).toEqual({
      title: null,
      queries: [],
      views: [],
      links: [],
      problem: 'queries.yaml:3:5: unknown key "qury" of a query; did you mean query?',
    });
  });

  it("is an error if the file is missing or a folder", async () => {
    const missing = await serve(await emptyStore(), { explorer: { site: join(folder.path, "no.yaml") } });
    expect(await answered(missing)).toEqual({
      title: null,
      queries: [],
      views: [],
      links: [],
      problem: "no.yaml does not exist",
    });
    await missing.close();
    const directory = await serve(await emptyStore(), { explorer: { site: folder.path } });
    expect(await answered(directory)).toMatchObject({
      problem: expect.stringMatching(/ is a directory, not a file$/) as string,
    });
    await directory.close();
  });

  it("is nothing without the setting", async () => {
    const without = await serve(await emptyStore());
    expect(await answered(without)).toEqual({ title: null, queries: [], views: [], links: [], problem: null });
    await without.close();
  });
});

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { census, SAMPLE, startServer, workFolder } from "../census.ts";
import type { Running } from "#test/running.ts";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { tgz } from "#test/storage/archive/build.ts";
import { facts, metadata } from "../archives.ts";

const folder = workFolder();
const NODE = "berth-0024.tollhouse.saltmarsh.example";
let server: Running;

beforeAll(async () => {
  server = await startServer(["open", SAMPLE, "--port", "0"]);
});
afterAll(async () => server.stop());

describe("a short form", () => {
  it.each([
    [["nodes", "--status", "failed"]],
    [["nodes", "crane-*", "--fact", "kernel=Linux", "--state", "any"]],
    [["facts"]],
    [["facts", NODE]],
    [["facts", NODE, "os.release"]],
    [["facts", "--name", "os.family", "--count"]],
    [["reports", NODE]],
    [["reports", "--status", "failed", "--limit", "2"]],
    [["events"]],
    [["events", "--since", "2026-11-19T00:00:00Z", "--resource", "File"]],
    [["nodes", "--order-by", "report_timestamp desc, certname", "--limit", "3"]],
    [["packages", "--order-by", "count desc", "--limit", "3"]],
    [["resources", "--slowest"]],
    [["reports", "--by-day"]],
  ])("%j prints the same for an archive and for a server", async (words) => {
    const [archive, url] = await Promise.all([
      census([...words, "--archive", SAMPLE]),
      census([...words, "--url", server.url]),
    ]);
    expect(archive).toMatchObject({ code: 0, stderr: "" });
    expect(JSON.parse(archive.stdout)).not.toHaveLength(0);
    expect(JSON.parse(url.stdout)).toStrictEqual(JSON.parse(archive.stdout));
  });

  it("sorts what it counts by the columns that it shows", async () => {
    const words = ["packages", "--archive", SAMPLE, "--limit", "40"];
    const { stdout } = await census([...words, "--order-by", "count desc, package_name desc"]);
    const found = JSON.parse(stdout) as { count: number; package_name: string }[];
    expect(found).toStrictEqual(
      found.toSorted((a, b) => b.count - a.count || (a.package_name < b.package_name ? 1 : -1)),
    );
    expect(new Set(found.map(({ count }) => count)).size).toBeGreaterThan(1);
    expect(await census([...words, "--order-by", "nodes"])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/there is no column nodes; the columns are package_name, provider, /) as string,
    });
    expect(await census([...words, "--order-by", "count", "--pql"])).toMatchObject({ code: 2 });
  });

  it("counts durations from the archive's time, and can print its query instead of running it", async () => {
    const words = ["nodes", "--silent", "2h", "--pql"];
    const { stdout } = await census([...words, "--archive", SAMPLE]);
    expect(stdout).toContain('report_timestamp < "2026-11-20T10:00:00.000Z"');
    // No server is needed for a query that does not depend on the time.
    const unasked = await census(["events", "--pql", "--url", "http://127.0.0.1:1"]);
    expect(unasked).toMatchObject({ code: 0, stderr: "" });
    const answer = await census(["query", unasked.stdout.trim(), "--archive", SAMPLE]);
    expect(JSON.parse(answer.stdout)).not.toHaveLength(0);
  });

  it("shows the facts of a node as a tree, in a file too", async () => {
    const out = join(folder, "facts.txt");
    const run = await census(["facts", NODE, "--archive", SAMPLE, "--output", "tree", "--out", out]);
    expect(run).toMatchObject({ code: 0, stdout: "" });
    expect(readFileSync(out, "utf8")).toMatch(/^os\n(?: .+\n)* {2}family +Debian\n/m);
    const refused = await census(["facts", "--archive", SAMPLE, "--output", "tree"]);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toMatch(/^census: .*tree/);
  });

  it.each(["kernel", "os.name"])("says in the table which row has the nodes without %s", async (name) => {
    const archive = join(folder, `${name}.tgz`);
    const sets = [facts("web-01", '{"os": {"name": "Debian"}}'), facts("web-02", '{"kernel": "Linux"}')];
    writeFileSync(archive, await tgz([metadata, ...sets]));
    const run = await census(["facts", "--name", name, "--count", "--archive", archive, "--output", "table"]);
    expect(run).toMatchObject({
      code: 0,
      stderr: expect.stringContaining(`1 node without the fact ${name}\n`),
    });
    const all = await census(["facts", "--name", "os.family", "--count", "--archive", SAMPLE, "--output", "csv"]);
    expect(all.stderr).toBe("");
  });

  it("takes the name of a fact where no node has it, and a part of a fact with any characters", async () => {
    const archive = join(folder, "paths.tgz");
    const sets = [
      facts("web-01", '{"kernel": "Linux", "mountpoints": {"/": {"size": 1}}, "site.role": "web", "id": "a"}'),
      facts("web-02", '{"kernel": "Linux", "site": {"role": "db"}, "id": "b"}'),
      facts("kernel", '{"id": "a"}'),
      facts("id.example", '{"id": "c"}'),
    ];
    writeFileSync(archive, await tgz([metadata, ...sets]));
    const rows = async (...words: string[]): Promise<unknown> => {
      const { stdout, stderr } = await census(["facts", ...words, archive]);
      return stderr === "" ? JSON.parse(stdout) : stderr;
    };
    expect(await rows("mountpoints./.size")).toStrictEqual([{ certname: "web-01", value: 1 }]);
    expect(await rows('mountpoints."/"', "--count")).toContainEqual({ value: { size: 1 }, count: 1 });
    expect(await rows("--name", "site.role")).toStrictEqual([{ certname: "web-02", value: "db" }]);
    expect(await rows('"site.role"')).toStrictEqual([{ certname: "web-01", value: "web" }]);
    // A node comes before a fact, also by a short name; with an option about values it is a fact.
    expect(await rows("kernel")).toStrictEqual([{ name: "id", value: "a" }]);
    expect(await rows("kernel", "--count")).toStrictEqual([
      { value: "Linux", count: 2 },
      { value: null, count: 2 },
    ]);
    expect(await rows("id", "--duplicates")).toStrictEqual([{ value: "a", count: 2, certnames: ["kernel", "web-01"] }]);
    expect(await rows("nothing")).toMatch(/unknown certname or fact "nothing"/);
    expect(await rows("a..b", "--count")).toMatch(/"a\.\.b" is not the path of a fact/);
  });

  it("shows groups of most nodes first, and nodes without the fact", async () => {
    const { stdout } = await census([
      "facts",
      "--name",
      "os.family",
      "--count",
      "--archive",
      SAMPLE,
      "--output",
      "csv",
    ]);
    expect(stdout).toBe("value,count\nRedHat,17\nDebian,15\nSuse,3\nwindows,3\n,2\n");
  });
});

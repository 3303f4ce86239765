import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { census, SAMPLE, startServer, workFolder } from "../census.ts";
import { follow, queried, reportNow, send, serveData } from "./program.ts";

const folder = workFolder();

const batch = (name: string): ReturnType<typeof reportNow>[] =>
  Array.from({ length: 150 }, (_, index) => reportNow(`${name}-${index}.example`));

describe("census tail", () => {
  it("prints each report once, through a restart of the server", async () => {
    const data = join(folder, "restarted");
    let server = await serveData(data);
    const port = Number(new URL(server.url).port);
    await send(server.url, reportNow("before.example"));
    await expect.poll(() => queried(server.url, "reports[hash] {}")).toHaveLength(1);
    const tail = follow(["tail", server.url, "--limit", "0", "--every", "0.1s", "--show", "reports"]);
    try {
      await expect.poll(async () => (await queried(server.url, "nodes[certname] {}")).length).toBe(1);
      // The first look may come after a report that was sent too early.
      await new Promise((resolve) => setTimeout(resolve, 2000));
      await send(server.url, ...batch("one"));
      await expect.poll(() => tail.rows().length).toBe(150);
      await server.stop();
      await expect.poll(tail.stderr).toMatch(/no answer \(.*connection refused.*\); trying again\n$/);
      server = await serveData(data, port);
      await send(server.url, ...batch("two"));
      await expect.poll(() => tail.rows().length).toBe(300);
      expect(tail.stderr()).toMatch(/answers again\n$/);
      const stored = await queried(server.url, 'reports[hash] { certname != "before.example" }');
      expect(new Set(tail.rows().map(({ hash }) => hash))).toEqual(new Set(stored.map(({ hash }) => hash)));
      expect(await tail.end("SIGTERM")).toBe(0);
    } finally {
      tail.child.kill("SIGKILL");
      await server.stop();
    }
  });

  it("filters, and prints events with their reports, for people and as NDJSON", async () => {
    const server = await serveData(join(folder, "filtered"));
    try {
      await send(
        server.url,
        reportNow("web-01.example"),
        reportNow("web-02.example", { status: "unchanged", resources: [] }),
        reportNow("db-01.example", { environment: "staging", noop: true }),
        reportNow("old-01.example", { status: "unchanged", cached_catalog_status: "on_failure", resources: [] }),
      );
      await expect.poll(() => queried(server.url, "reports[hash] {}")).toHaveLength(4);
      const names = async (...words: readonly string[]): Promise<string[]> => {
        const tail = follow(["tail", server.url, "--every", "0.1s", "--show", "reports", ...words]);
        // Its answers to the first two looks.
        await expect.poll(() => tail.rows().length).toBeGreaterThan(0);
        await new Promise((resolve) => setTimeout(resolve, 300));
        expect(await tail.end("SIGINT")).toBe(0);
        return tail
          .rows()
          .map(({ certname }) => String(certname))
          .toSorted();
      };
      expect(await names()).toEqual(["db-01.example", "old-01.example", "web-01.example", "web-02.example"]);
      expect(await names("--since", "1h")).toEqual(await names());
      expect(await names("--state", "hidden")).toEqual(["old-01.example"]);
      expect(await names("--status", "failed")).toEqual(["db-01.example", "web-01.example"]);
      expect(await names("--environment", "stag*")).toEqual(["db-01.example"]);
      expect(await names("web-*")).toEqual(["web-01.example", "web-02.example"]);
      expect(await names("db-01")).toEqual(["db-01.example"]);
      expect(await names("--where", 'noop = true or certname = "web-02.example"')).toEqual([
        "db-01.example",
        "web-02.example",
      ]);
      expect(await names("--class", "Ntp", "--environment", "production")).toEqual(["web-01.example"]);

      const text = follow(["tail", server.url, "--output", "text", "web-01", "--every", "0.1s"]);
      await expect.poll(text.stdout).toMatch(/no such package\n$/);
      await text.end();
      expect(text.stdout()).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ {2}✖ failed .*web-01\.example {2}production/);
      expect(text.stdout()).toMatch(/\n {20} {2}✖ failure {8} \S+\[.+\].*: no such package\n$/);

      const events = follow(["tail", server.url, "--show", "events", "web-01", "--every", "0.1s"]);
      await expect.poll(() => events.rows().length).toBe(1);
      await events.end();
      expect(events.rows()[0]).toMatchObject({ kind: "event", certname: "web-01.example", message: "no such package" });
    } finally {
      await server.stop();
    }
  });

  it("prints the last reports of an archive and ends, with the reports of a server that serves it", async () => {
    const run = await census(["tail", SAMPLE, "--limit", "25", "--show", "reports"]);
    expect(run).toMatchObject({ code: 0, stderr: "" });
    const hashes = run.stdout
      .trim()
      .split("\n")
      .map((line) => (JSON.parse(line) as { hash: string }).hash);
    expect(new Set(hashes).size).toBe(25);
    const all = await census(["tail", SAMPLE, "--since", "52w", "--show", "reports"]);
    const server = await startServer(["open", SAMPLE, "--no-browser", "--port", "0"]);
    try {
      const reports = await queried(server.url, "reports[hash] {}");
      expect(all.stdout.trim().split("\n")).toHaveLength(reports.length);
    } finally {
      await server.stop();
    }
  });

  it.each<[words: string[], message: string]>([
    [["--where", "true) or (true"], "--where: a parenthesis is closed that was not opened"],
    [["--where", "noop = true limit 1"], "--where is a condition, without limit"],
    [["--where", "nope = 1"], "'nope' is not a queryable object"],
    [["--resource", "[x]"], "--resource must be Type or Type[title]"],
    [["--limit", "all"], '--limit must be a number, not "all"'],
    [["--limit", "1", "--since", "1h"], "--since and --limit cannot be used together"],
    [["--every", "0s"], "--every must be a duration such as 30s"],
    [["--every", "10d"], "--every must be a duration such as 30s"],
    [["nobody.example"], "nobody.example"],
  ])("refuses %j", async (words, message) => {
    const run = await census(["tail", SAMPLE, ...words]);
    expect(run).toMatchObject({ code: 2, stdout: "" });
    expect(run.stderr).toContain(message);
  });

  it("ends with an error where the server cannot be reached at first", async () => {
    const run = await census(["tail", "http://127.0.0.1:9"]);
    expect(run).toMatchObject({ code: 1, stdout: "" });
    expect(run.stderr).toContain("http://127.0.0.1:9: connection refused");
  });
});

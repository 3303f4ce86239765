import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { freePort } from "#test/free-port.ts";
import { tgz } from "#test/storage/archive/build.ts";
import { delicateFacts, facts, metadata } from "./archives.ts";
import { census, SAMPLE, startServer, workFolder } from "./census.ts";

const folder = workFolder();

describe("census serve", () => {
  it("returns over HTTP the rows of its directory, and locks the directory", async () => {
    const data = join(folder, "data");
    const archive = join(folder, "delicate.tgz");
    writeFileSync(archive, await tgz([metadata, facts("web-01.example.com", delicateFacts)]));
    expect((await census(["import", archive, "--data", data])).code).toBe(0);
    const query = "facts[name, value] { order by name }";
    const own = await census(["query", query, "--data", data]);

    const server = await startServer(["serve", "--data", data, "--port", "0"]);
    try {
      expect(server.said()).toBe(`Census is ready on ${server.url}\nExplorer: ${server.url}/explorer/\n`);
      expect(await census(["query", query, "--url", server.url])).toStrictEqual(own);
      expect(await census(["query", query], { env: { CENSUS_URL: `${server.url}/` } })).toStrictEqual(own);

      // Too long for a URL: goes into a body.
      const names = ["exact", "yes", ...Array.from({ length: 1000 }, (_, index) => `fact-${index}`)];
      const long = JSON.stringify(["from", "facts", ["extract", ["name"], ["in", "name", ["array", names]]]]);
      const { stdout } = await census(["query", "-", "--url", server.url, "--output", "csv"], { input: long });
      expect(stdout.trimEnd().split("\n").sort()).toStrictEqual(["exact", "name", "yes"]);

      const wrong = await census(["query", "nodes[certname { }", "--url", server.url]);
      expect(wrong).toMatchObject({ code: 2, stdout: "" });
      expect(wrong.stderr).toMatch(/^census: PQL parse error at line 1, column 16: [^\n]+\n$/);

      for (const words of [["import", SAMPLE], ["query", query], ["serve"]]) {
        const { code, stdout: answer, stderr } = await census([...words, "--data", data]);
        expect({ words, code, answer }).toStrictEqual({ words, code: 1, answer: "" });
        expect(stderr).toMatch(/^census: \S+census\.duckdb: is in use by another process [^\n]+\n$/);
      }
      const port = new URL(server.url).port;
      expect(await census(["serve", "--memory", "--port", port])).toStrictEqual({
        code: 1,
        stdout: "",
        stderr: `census: 127.0.0.1:${port} is in use by another program; choose another port with --port\n`,
      });
    } finally {
      expect(await server.stop()).toBe(0);
    }
    expect(await census(["query", query, "--data", data])).toStrictEqual(own);
  });

  it("uses the time of --now", async () => {
    const server = await startServer(["serve", "--memory", "--port", "0", "--now", "2001-02-03T04:05:06Z"]);
    try {
      const response = await fetch(`${server.url}/pdb/meta/v1/server-time`);
      expect(await response.json()).toStrictEqual({ server_time: "2001-02-03T04:05:06.000Z" });
    } finally {
      expect(await server.stop()).toBe(0);
    }
  });
});

describe("census open of an archive", () => {
  // Without arguments, from the source: the sample archive, on a free port from 8080 on.
  it.each([{ words: ["open", SAMPLE, "--port", "0"] }, { words: [] }])(
    "answers the queries that it names: $words",
    async ({ words }) => {
      const server = await startServer(words, { isFromSource: words.length === 0 });
      try {
        expect(server.said()).toMatch(/^Census is ready on \S+ with \S*sample\.tgz as of 2026-11-20T12:00:00\.000Z\n/);
        const [first, second] = [...server.said().matchAll(/curl -sG (\S+) --data-urlencode 'query=(.*)'/g)];
        for (const [, url = "", query = ""] of [first ?? [], second ?? []]) {
          const response = await fetch(`${url}?query=${encodeURIComponent(query)}`);
          expect(response.status).toBe(200);
          expect(((await response.json()) as unknown[]).length).toBeGreaterThan(0);
        }
        const [, third = ""] = /query .*'(inventory.*)'$/m.exec(server.said()) ?? [];
        const { code, stdout } = await census(["query", third, "--url", server.url, "--output", "ndjson"]);
        expect({ code, rows: stdout.trimEnd().split("\n").length }).toStrictEqual({ code: 0, rows: 5 });
      } finally {
        expect(await server.stop()).toBe(0);
      }
    },
  );

  it("shows the explorer while the archive is being read", async () => {
    const archive = join(folder, "many.tgz");
    const many = Array.from({ length: 3000 }, (_, index) => facts(`node-${index}.example.com`, delicateFacts));
    writeFileSync(archive, await tgz([metadata, ...many]));
    const port = String(await freePort());
    const starting = startServer(["open", archive, "--no-cache", "--port", port]);
    const seen = new Set<string>();
    while (!seen.has("ready")) {
      seen.add(await stateAt(port));
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    expect(seen).toStrictEqual(new Set(["none", "loading", "ready"]));
    expect(await (await starting).stop()).toBe(0);
  });

  it("reports an invalid archive", async () => {
    const archive = join(folder, "none.tgz");
    writeFileSync(archive, "no archive");
    const { code, stdout, stderr } = await census(["open", archive, "--port", "0"]);
    expect({ code, stdout }).toStrictEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(/^census: \S+none\.tgz: [^\n]+\n$/);
  });

  it("ends at once if its port is in use", async () => {
    const server = await startServer(["serve", "--memory", "--port", "0"]);
    const { port } = new URL(server.url);
    const { code, stdout, stderr } = await census(["open", SAMPLE, "--no-cache", "--port", port]);
    expect({ code, stdout }).toStrictEqual({ code: 1, stdout: "" });
    expect(stderr).toBe(`census: 127.0.0.1:${port} is in use by another program; choose another port with --port\n`);
    expect(await server.stop()).toBe(0);
  });
});

/** The state that the explorer shows on a port: `none` while no server listens. */
async function stateAt(port: string): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}/explorer/api/v1/about`).catch(() => undefined);
  return response === undefined ? "none" : ((await response.json()) as { state: string }).state;
}

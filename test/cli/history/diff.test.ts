import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { Store } from "#storage/store.ts";
import { a, time } from "#test/fixture-store.ts";
import * as payloads from "#test/storage/wire/payloads.ts";
import { census, startServer, workFolder } from "../census.ts";

const data = join(workFolder(), "data");
const [WEB, DB] = ["web-01.example.com", "db-01.example.com"];
const NOON = "2026-11-21T12:00:00Z";

/** Two runs of a node; the second has another kernel and mode, and an uptime of its own as every run. */
const runs = [
  { at: "2026-11-18T10:00:00Z", kernel: "6.1", uptime: "3 days", mode: "0644" },
  { at: "2026-11-20T10:00:00Z", kernel: "6.12", uptime: "5 days", mode: "0600" },
] as const;

beforeAll(async () => {
  let now = time(runs[0].at);
  const store = await Store.open({ directory: data, clock: { now: () => now } });
  for (const { at, kernel, uptime, mode } of runs) {
    now = time(at);
    const motd = payloads.fileResource({ title: "/etc/motd", parameters: { mode } });
    await store.submit(a.facts(WEB, { producer_timestamp: at, values: { kernel, uptime } }, now));
    await store.submit(
      a.catalog(WEB, { producer_timestamp: at, resources: [payloads.classResource(), motd], edges: [] }, now),
    );
  }
  await store.submit(a.facts(DB, { producer_timestamp: runs[1].at, values: { kernel: "6.1" } }, now));
  await store.close();
});

const tree = [
  `~ ${WEB}`,
  "  facts",
  '    ~ kernel: "6.1" → "6.12"',
  "  resources",
  "    ~ File[/etc/motd]",
  '      ~ mode: "0644" → "0600"',
  // The version of the catalog, which the earlier state has not.
  "1 volatile difference hidden; show with --volatile",
  "",
].join("\n");

async function diff(...words: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await census(["diff", ...words, "--data", data, "--now", NOON]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return stdout;
}

describe("census diff --since", () => {
  it.each([[[WEB, "--since", "2d"]], [["web-01", "--since", "2026-11-19 12:00"]], [["--since", "2d", WEB]]])(
    "%j shows what has changed of a node",
    async (words) => {
      expect(await diff(...words)).toBe(tree);
    },
  );

  it("without a node compares all of them", async () => {
    const { nodes, summary } = JSON.parse(await diff("--since", "2d", "--output", "json")) as {
      readonly nodes: readonly object[];
      readonly summary: { readonly nodes: object };
    };
    expect(nodes).toMatchObject([
      { kind: "added", certname: DB },
      { kind: "changed", certname: WEB, facts: [{ path: ["kernel"], from: "6.1", to: "6.12" }] },
    ]);
    expect(summary.nodes).toStrictEqual({ added: 1, removed: 0, changed: 1, same: 0 });
  });

  it("with --until compares two past times, also where both have other facts than now", async () => {
    expect(await diff(WEB, "--since", "3d", "--until", "2d")).toBe("No differences\n");
    expect(await diff(WEB, "--since", "3d", "--until", "1d")).toBe(tree);
    expect(await diff(WEB, "--since", "1d", "--as-of", "2026-11-21")).toBe(tree);
  });

  it("writes a page that names the times", async () => {
    const page = await diff(WEB, "--since", "3d", "--until", "1d", "--output", "html");
    expect(page).toContain(`<h1>Comparison of ${WEB} since 3d until 1d</h1>`);
    expect(page).toContain("~ File[/etc/motd]");
  });

  it("compares states of a server", async () => {
    const server = await startServer(["serve", "--data", data, "--now", NOON, "--port", "0"]);
    try {
      const { code, stdout, stderr } = await census(["diff", WEB, "--since", "2d", "--url", server.url]);
      expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: tree, stderr: "" });
      const times = ["--since", "2026-11-18 12:00", "--until", "2026-11-19"];
      const none = await census(["diff", ...times, "--url", server.url]);
      expect(none).toEqual({ code: 0, stdout: "No differences\n", stderr: "" });
    } finally {
      await server.stop();
    }
  });

  it.each([
    [["--since", "9d"], "is before the recorded history; the earliest time is 2026-11-18T10:00:00.000Z"],
    [
      ["--since", "1d", "--until", "2d"],
      "diff: --since must be before --until: 2026-11-20T12:00:00.000Z is not before",
    ],
    [["--since", "2026-12-01"], "diff: --since must be before the time of the source: 2026-12-01T00:00:00.000Z"],
    [["--since", "noon"], "--since must be a timestamp"],
    [["--until", "2d"], "diff: --until needs --since"],
    [["wbe-01", "--since", "2d"], 'unknown certname "wbe-01"; did you mean web-01.example.com'],
    [["0123456789abcdef0123456789abcdef01234567", "--since", "2d"], "arguments are certnames, not report hashes"],
  ])("%j is an error that says why", async (words, message) => {
    const { code, stdout, stderr } = await census(["diff", ...words, "--data", data, "--now", NOON]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(message);
  });

  it("takes no source as an argument", async () => {
    const { code, stderr } = await census(["diff", data, "--since", "2d"]);
    expect(code).toBe(2);
    expect(stderr).toContain(`name the source as an option: --archive, --data or --url ${data}`);
  });
});

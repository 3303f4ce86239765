import { once } from "node:events";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  utimesSync,
  watch,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { gunzipSync } from "node:zlib";
import { beforeAll, describe, expect, it } from "vitest";
import { tgz } from "#test/storage/archive/build.ts";
import { facts, metadata } from "../archives.ts";
import { census, SAMPLE, start, startServer, workFolder } from "../census.ts";

const folder = workFolder();
const small = join(folder, "small.tgz");
const LINUX = '{"kernel":"Linux"}';
const query = "nodes[count()]{}";
const answer = (count: number) => ({ code: 0, stdout: `[\n{"count":${count}}\n]\n`, stderr: "" });

beforeAll(async () => {
  writeFileSync(small, await tgz([metadata, facts("web-01.example.com", LINUX)]));
});

/** A cache of its own. */
function ownCache(): { env: NodeJS.ProcessEnv; archives: string; kept: () => string[] } {
  const cache = mkdtempSync(join(folder, "cache-"));
  const archives = join(cache, "census", "archives");
  const kept = (): string[] => (existsSync(archives) ? readdirSync(archives).toSorted() : []);
  return { env: { XDG_CACHE_HOME: cache }, archives, kept };
}

/** The archives whose hash the cache remembers. */
function remembered({ XDG_CACHE_HOME: cache = "" }: NodeJS.ProcessEnv): unknown[] {
  const path = join(cache, "census", "hashes", "archives.json");
  return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as unknown[]) : [];
}

/** An archive of one node. */
async function archiveOf(name: string): Promise<string> {
  const path = join(folder, `${name}.tgz`);
  writeFileSync(path, await tgz([metadata, facts(name, "{}")]));
  return path;
}

function daysAgo(count: number): Date {
  return new Date(Date.now() - count * 86_400_000);
}

interface Listed {
  readonly archive: string;
  readonly commands: number;
  readonly as_of: string | null;
  readonly bytes: number;
  readonly contents: readonly string[];
}

async function list(env: NodeJS.ProcessEnv): Promise<Listed[]> {
  const { stdout } = await census(["cache", "list"], { env });
  return JSON.parse(stdout) as Listed[];
}

describe("an opened archive", () => {
  it("is cached, and returns the same rows the second time, under any name", async () => {
    const { env, kept } = ownCache();
    const words = ["query", "events[count()]{} ", "--archive"];
    const first = await census([...words, SAMPLE], { env });
    const entries = kept();
    expect(entries).toStrictEqual([expect.stringMatching(/^[0-9a-f]{64}-\d+-\d+\.\d+\.\d+\+reports$/)]);
    cpSync(SAMPLE, join(folder, "copy.tgz"));
    expect(await census([...words, join(folder, "copy.tgz")], { env })).toStrictEqual(first);
    expect(await census([...words, SAMPLE, "--no-cache"], { env })).toStrictEqual(first);
    expect(kept()).toStrictEqual(entries);
    expect(await list(env)).toMatchObject([
      { archive: "sample.tgz", commands: 566, as_of: "2026-11-20T12:00:00.000Z" },
    ]);
  });

  it("gets what a later query needs, and all of it by one that needs all", async () => {
    const { env, kept } = ownCache();
    const contents = async (...words: string[]): Promise<unknown> => {
      expect((await census([...words, "--archive", small], { env })).code).toBe(0);
      expect(kept()).toHaveLength(1);
      return (await list(env)).map((entry) => entry.contents);
    };
    expect(await contents("query", query)).toStrictEqual([[]]);
    expect(await contents("facts", "--name", "kernel")).toStrictEqual([["facts"]]);
    expect(await contents("query", query)).toStrictEqual([["facts"]]);
    expect(await contents("reports")).toStrictEqual([["facts", "reports"]]);
    expect(await contents("sql", "SELECT 1")).toStrictEqual([["facts", "catalogs", "reports", "history"]]);
    expect(await contents("facts", "--name", "kernel")).toStrictEqual([["facts", "catalogs", "reports", "history"]]);
  });

  it("may be a folder, which is opened again if a file in it changes", async () => {
    const { env, kept } = ownCache();
    const unpacked = mkdtempSync(join(folder, "unpacked-"));
    const [name, text] = facts("web-01.example.com", LINUX) as readonly [string, string];
    for (const [path, body] of [metadata as readonly [string, string], [name, text]] as const) {
      mkdirSync(dirname(join(unpacked, path)), { recursive: true });
      writeFileSync(join(unpacked, path), body);
    }
    const words = ["query", `facts[value]{ name = "kernel" }`, "--archive", unpacked];
    for (const _ of ["first", "second"]) {
      expect((await census(words, { env })).stdout).toBe('[\n{"value":"Linux"}\n]\n');
      expect(kept()).toHaveLength(1);
    }
    expect(await list(env)).toMatchObject([{ archive: basename(unpacked), commands: 1 }]);
    writeFileSync(join(unpacked, name), text.replace("Linux", "Minix"));
    expect((await census(words, { env })).stdout).toBe('[\n{"value":"Minix"}\n]\n');
    expect(kept()).toHaveLength(2);
  });

  it("is created once when several commands open it at the same time", async () => {
    const { env, kept } = ownCache();
    const words = ["query", query, "--archive", small];
    const runs = await Promise.all([0, 1, 2].map(() => census(words, { env })));
    expect(runs).toStrictEqual([answer(1), answer(1), answer(1)]);
    expect(kept()).toHaveLength(1);
  });

  it("is shared by a server and commands that query it, and is read-only", async () => {
    const { env, kept } = ownCache();
    const server = await startServer(["open", small, "--port", "0"], { env });
    try {
      expect(kept()).toHaveLength(1);
      expect(await census(["query", query, "--archive", small], { env })).toStrictEqual(answer(1));
      const refused = await fetch(`${server.url}/pdb/cmd/v1?command=deactivate_node&version=3&certname=x`, {
        method: "POST",
        body: '{"certname":"x","producer_timestamp":"2026-11-20T12:00:00Z"}',
        headers: { "content-type": "application/json" },
      });
      expect([refused.status, await refused.text()]).toStrictEqual([
        503,
        expect.stringContaining("is open for reading only"),
      ]);
    } finally {
      await server.stop();
    }
  });

  it("is recognized by its content after the file was changed, even to one of the same size and time", async () => {
    const { env, kept } = ownCache();
    const changing = join(folder, "changing.tar");
    const words = ["query", `facts[value]{ name = "kernel" }`, "--archive", changing];
    const long = daysAgo(100);
    const write = async (kernel: string): Promise<void> => {
      writeFileSync(changing, gunzipSync(await tgz([metadata, facts("web-01.example.com", `{"kernel":"${kernel}"}`)])));
      utimesSync(changing, long, long);
    };
    await write("Linux");
    // A file that was just written is not remembered, since it could be changed within the same step of the clock.
    await census(words, { env });
    expect(remembered(env)).toStrictEqual([]);
    await setTimeout(3500);
    for (const _ of ["first", "second"]) {
      expect((await census(words, { env })).stdout).toBe('[\n{"value":"Linux"}\n]\n');
      expect(remembered(env)).toMatchObject([{ path: changing, sha256: kept()[0]?.slice(0, 64) }]);
    }
    await write("Minix");
    expect((await census(words, { env })).stdout).toBe('[\n{"value":"Minix"}\n]\n');
    expect(kept()).toHaveLength(2);
    await census(["cache", "clear"], { env });
    expect(remembered(env)).toStrictEqual([]);
  });

  it("is created again if the cached one is damaged", async () => {
    const { env, archives, kept } = ownCache();
    const words = ["query", query, "--archive", small];
    await census(words, { env });
    const [entry = ""] = kept();
    writeFileSync(join(archives, entry, "census.duckdb"), "no database");
    expect(await census(words, { env })).toStrictEqual(answer(1));
    expect(
      readFileSync(join(archives, entry, "census.duckdb"))
        .subarray(8, 12)
        .toString(),
    ).toBe("DUCK");
  });

  it("leaves nothing in the cache when the program is interrupted", async () => {
    const { env, archives, kept } = ownCache();
    mkdirSync(archives, { recursive: true, mode: 0o700 });
    const begun = new Promise((resolve) => {
      const watcher = watch(archives, () => resolve(watcher.close()));
    });
    const child = start(["query", query, "--archive", SAMPLE], { env });
    child.stdin.end();
    const closed = once(child, "close");
    await begun;
    expect(kept()).toStrictEqual([expect.stringMatching(/^\.unfinished-/)]);
    child.kill("SIGINT");
    expect((await closed)[0]).toBe(130);
    expect(kept()).toStrictEqual([]);
  });

  it("leaves nothing in the cache if the archive is invalid", async () => {
    const { env, kept } = ownCache();
    const wrong = join(folder, "wrong.tgz");
    writeFileSync(wrong, await tgz([metadata, facts("web-01.example.com", "1")]));
    const { code, stderr } = await census(["query", "facts{}", "--archive", wrong], { env });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^census: \S+wrong\.tgz: member "puppetdb-bak\/facts\/web-01\.example\.com\.json": /);
    expect(kept()).toStrictEqual([]);
  });

  it.each<[what: string, env: (cache: string) => NodeJS.ProcessEnv]>([
    ["where nothing can be written", (cache) => ({ XDG_CACHE_HOME: join(cache, "file") })],
    ["where others could write", (cache) => ({ XDG_CACHE_HOME: join(cache, "open") })],
    ["with a cache size of 0", (cache) => ({ XDG_CACHE_HOME: cache, CENSUS_CACHE_SIZE: "0" })],
  ])("is queried without a cache %s", async (_what, envOf) => {
    const { env, kept } = ownCache();
    const cache = env["XDG_CACHE_HOME"] ?? "";
    writeFileSync(join(cache, "file"), "");
    const others = join(cache, "open", "census", "archives");
    mkdirSync(others, { recursive: true });
    chmodSync(others, 0o777);
    expect(await census(["query", query, "--archive", small], { env: envOf(cache) })).toStrictEqual(answer(1));
    expect([kept(), readdirSync(others)]).toStrictEqual([[], []]);
  });
});

describe("the cache of archives", () => {
  it("deletes the least recently used archives beyond its size, and unfinished ones after a day", async () => {
    const { env, archives, kept } = ownCache();
    const [one, two, three] = await Promise.all(["one", "two", "three"].map(archiveOf));
    const open = async (path = "", more = {}): Promise<unknown> =>
      census(["query", query, "--archive", path], { env: { ...env, ...more } });
    await open(one);
    await open(two);
    for (const entry of kept()) {
      const path = join(archives, entry, "archive.json");
      const { archive: name } = JSON.parse(readFileSync(path, "utf8")) as Listed;
      utimesSync(path, daysAgo(2), daysAgo(name === "one.tgz" ? 3 : 4));
    }
    for (const name of ["old", "new"]) mkdirSync(join(archives, `.unfinished-${name}`));
    utimesSync(join(archives, ".unfinished-old"), daysAgo(2), daysAgo(2));
    // Space for two of them.
    const [{ bytes } = { bytes: 0 }] = await list(env);
    await open(three, { CENSUS_CACHE_SIZE: String(Math.floor(bytes * 2.5)) });
    expect((await list(env)).map(({ archive: name }) => name)).toStrictEqual(["three.tgz", "one.tgz"]);
    expect(kept().filter((name) => name.startsWith("."))).toStrictEqual([".unfinished-new"]);
    expect(await census(["cache", "clear"], { env })).toStrictEqual({
      code: 0,
      stdout: "Removed 2 archives from the cache\n",
      stderr: "",
    });
    expect(await list(env)).toStrictEqual([]);
  });

  it("accepts sizes with units", async () => {
    const env = { CENSUS_CACHE_SIZE: "much" };
    expect(await census(["query", query, "--archive", small], { env })).toStrictEqual({
      code: 2,
      stdout: "",
      stderr: 'census: CENSUS_CACHE_SIZE must be a size such as 500M or 2G, or 0, not "much"\n',
    });
  });
});

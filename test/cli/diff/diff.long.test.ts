import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { archiveMembers } from "#fixtures/archive.ts";
import { type PopulationOptions, populationCommands } from "#fixtures/population.ts";
import { writeArchiveFile } from "#storage/archive/write.ts";
import { census, type Run, startServer, workFolder } from "../census.ts";
import { writeSite } from "./site.ts";

const folder = workFolder();
const path = (name: string): string => join(folder, `${name}.tgz`);
const population: PopulationOptions = { nodes: 8, seed: 5, reportsPerNode: 2, baseTime: "2026-11-20T12:00:00Z" };

async function writePopulation(name: string, changes: Partial<PopulationOptions> = {}): Promise<void> {
  const options = { ...population, ...changes };
  const members = archiveMembers((only) => populationCommands({ ...options, only }), { timestamp: options.baseTime });
  await writeArchiveFile(path(name), eventually(members), { format: "tar.gz", mtime: new Date(options.baseTime) });
}

async function* eventually<T>(values: Iterable<T>): AsyncGenerator<T> {
  yield* values;
}

beforeAll(async () => {
  await writePopulation("day");
  await writePopulation("later", { baseTime: "2026-11-20T15:00:00Z" });
  await writePopulation("larger", { nodes: 10 });
  await writePopulation("other", { seed: 6 });
  await writeSite(path("old"), path("new"));
});

interface Answer {
  readonly nodes: readonly { readonly kind: string; readonly certname: string }[];
  readonly summary: { readonly nodes: Record<string, number>; readonly volatile: number };
}

function answerOf({ code, stdout, stderr }: Run): Answer {
  expect({ code, stderr }).toStrictEqual({ code: 0, stderr: "" });
  return JSON.parse(stdout) as Answer;
}

async function diff(...words: string[]): Promise<Answer> {
  return answerOf(await census(["diff", ...words, "--output", "json"]));
}

describe("census diff of generated populations", () => {
  it("finds no difference between equal ones", async () => {
    expect(await census(["diff", path("day"), path("day"), "--exit-code"])).toStrictEqual({
      code: 0,
      stdout: "No differences\n",
      stderr: "",
    });
  });

  it("writes the tree as a page that names the files only", async () => {
    const words = ["diff", path("day"), path("new"), "--only", "facts"];
    const [tree, html] = await Promise.all([census([...words]), census([...words, "--output", "html"])]);
    expect(html).toMatchObject({ code: 0, stderr: "" });
    expect(html.stdout).toMatch(/<h1>Comparison of [^/<]+ and [^/<]+<\/h1>/);
    const [, shown = ""] = /<pre>([^]*)<\/pre>\n<\/body>/.exec(html.stdout) ?? [];
    const texts: Readonly<Record<string, string>> = {
      "&#39;": "'",
      "&quot;": '"',
      "&lt;": "<",
      "&gt;": ">",
      "&amp;": "&",
    };
    const text = shown
      .replace(/<\/?span[^>]*>/g, "")
      .replace(/&(?:#39|quot|lt|gt|amp);/g, (name) => texts[name] ?? name);
    expect(text).toBe(tree.stdout);
    expect(shown).toContain('<span class="add">+ web-01.example.com</span>');
  });

  it("finds only volatile differences three hours later", async () => {
    const { nodes, summary } = await diff(path("day"), path("later"), "--only", "facts,resources,edges");
    expect(nodes).toStrictEqual([]);
    expect(summary.nodes["same"]).toBe(8);
    expect(summary.volatile).toBeGreaterThan(0);
  });

  it("lists added nodes of a larger one", async () => {
    const { nodes, summary } = await diff(path("day"), path("larger"));
    expect(nodes.map(({ kind }) => kind)).toStrictEqual(["added", "added"]);
    expect(summary.nodes).toStrictEqual({ added: 2, removed: 0, changed: 0, same: 8 });
  });

  it("finds mirrored differences in the other direction", async () => {
    const [there, back] = await Promise.all([diff(path("day"), path("other")), diff(path("other"), path("day"))]);
    const mirror: Record<string, string> = { added: "removed", removed: "added", changed: "changed" };
    expect(there.nodes.length).toBeGreaterThan(6);
    expect(back.nodes.map(({ kind, certname }) => [mirror[kind], certname])).toStrictEqual(
      there.nodes.map(({ kind, certname }) => [kind, certname]),
    );
  });

  it("finds the same on a server as in an archive", async () => {
    const server = await startServer(["open", path("other"), "--port", "0", "--no-browser"]);
    try {
      const [local, remote] = await Promise.all([
        diff(path("day"), path("other"), "--volatile"),
        diff(path("day"), server.url, "--volatile"),
      ]);
      expect(local.nodes.length).toBeGreaterThan(6);
      expect(remote).toStrictEqual(local);
    } finally {
      await server.stop();
    }
  });

  it("compares two nodes of a server", async () => {
    const [first, second] = (await diff(path("day"), path("other"), "--only", "facts")).nodes
      .filter(({ kind }) => kind === "removed")
      .map(({ certname }) => certname);
    const server = await startServer(["open", path("day"), "--port", "0", "--no-browser"]);
    try {
      const local = await diff("--archive", path("day"), first ?? "", second ?? "");
      expect(local.nodes).toHaveLength(1);
      expect(await diff("--url", server.url, first ?? "", second ?? "")).toStrictEqual(local);
    } finally {
      await server.stop();
    }
  });
});

async function reportOf(archive: string): Promise<string> {
  const query = 'reports[hash] { certname = "web-01.example.com" }';
  const { stdout } = await census(["query", query, "--archive", archive, "--output", "ndjson"]);
  return (JSON.parse(stdout) as { hash: string }).hash;
}

describe("two reports", () => {
  it("of one source, by their hashes", async () => {
    const query = 'reports[hash] { certname ~ "^web-0[12]" order by certname }';
    const { stdout } = await census(["query", query, "--archive", path("new"), "--output", "ndjson"]);
    const hashes = stdout
      .trim()
      .split("\n")
      .map((line) => (JSON.parse(line) as { hash: string }).hash);
    expect(await census(["diff", "--archive", path("new"), ...hashes, "--exit-code"])).toStrictEqual({
      code: 1,
      stdout: [
        '~ status: "failed" → "unchanged"',
        "events",
        '  - Service[nginx]::ensure: failure, "stopped" → "running"',
        "    change from 'stopped' to 'running' failed: address already in use",
        "metrics",
        "  ~ events.failure: 1 → 0",
        "log",
        "  - err /Service[nginx]: address already in use",
        "3 volatile differences hidden; show with --volatile",
        "",
      ].join("\n"),
      stderr: "",
    });
    const [hash = ""] = hashes;
    const same = await census(["diff", "--archive", path("new"), hash, hash, "--output", "json"]);
    expect(JSON.parse(same.stdout)).toStrictEqual({ head: [], events: [], metrics: [], logs: [], volatile: 0 });
  });

  it("one that does not exist is an error", async () => {
    const [old, young] = [await reportOf(path("old")), await reportOf(path("new"))];
    const { code, stderr } = await census(["diff", "--archive", path("old"), old, young]);
    expect({ code, stderr }).toStrictEqual({ code: 1, stderr: `census: report ${young} not found\n` });
  });
});

describe("a node", () => {
  it("may be named without its domain", async () => {
    const full = await census(["diff", path("old"), path("new"), "web-02.example.com", "--volatile"]);
    expect(full.code).toBe(0);
    expect(await census(["diff", path("old"), path("new"), "web-02", "--volatile"])).toStrictEqual(full);
    const pair = await census(["diff", "--archive", path("old"), "web-01.example.com", "web-02.example.com"]);
    expect(pair.stdout).not.toBe("");
    expect(await census(["diff", "--archive", path("old"), "web-01", "web-02"])).toStrictEqual(pair);
  });

  it("that only the second of two sources has is shown as added", async () => {
    const added = await census(["diff", path("old"), path("new"), "web-03"]);
    expect(added.stdout).toMatch(/^\+ web-03\.example\.com/);
  });

  it("that does not exist is an error that names similar ones", async () => {
    expect(await census(["diff", "--archive", path("old"), "web-01", "wbe-02"])).toStrictEqual({
      code: 2,
      stdout: "",
      stderr: expect.stringMatching(
        /^census: diff: unknown certname "wbe-02"; did you mean web-02\.example\.com/,
      ) as string,
    });
  });
});

describe("the exit code", () => {
  it.each<[what: string, words: string[], code: number, says: RegExp]>([
    ["0 though something differs", ["old", "new"], 0, /^$/],
    ["1 if something differs and --exit-code is given", ["old", "new", "--exit-code"], 1, /^$/],
    ["0 if nothing does", ["old", "old", "--exit-code"], 0, /^$/],
    ["0 if what does is left out", ["old", "new", "web-02.example.com", "--only", "reports", "--exit-code"], 0, /^$/],
    ["1 after an error", ["old", "gone"], 1, /gone\.tgz: no such file or directory$/],
    [
      "2 after an error if 1 means something else",
      ["old", "gone", "--exit-code"],
      2,
      /gone\.tgz: no such file or directory$/,
    ],
    ["2 for what cannot be understood", ["old", "--exit-code"], 2, /^census: diff: needs two sources/],
  ])("%s", async (_what, words, expected, says) => {
    const named = words.map((word) => (/^(?:old|new|gone)$/.test(word) ? path(word) : word));
    const { code, stderr } = await census(["diff", ...named]);
    expect(code).toBe(expected);
    expect(stderr.trimEnd()).toMatch(says);
  });
});

it("census diff uses colours on terminals or if they are forced", async () => {
  const words = ["diff", path("old"), path("new"), "--summary"];
  const [plain, coloured] = await Promise.all([
    census(words, { env: { NO_COLOR: "", FORCE_COLOR: "" } }),
    census(words, { env: { NO_COLOR: "", FORCE_COLOR: "1" } }),
  ]);
  expect(plain.stdout).not.toContain("\u001b");
  expect(coloured.stdout).toContain("\u001b[32m+ web-03.example.com\u001b[39m\n");
  expect(coloured.stdout.replaceAll(/\u001b\[\d+m/g, "")).toBe(plain.stdout);
});

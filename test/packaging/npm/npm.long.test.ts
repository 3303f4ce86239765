import { spawnSync, type SpawnSyncReturns } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openContent } from "#cli/fixture/content.ts";
import { usualActiveNodes, usualPopulation } from "#fixtures/base.ts";
import { baseName } from "#fixtures/base-folder.ts";
import { buildPackage } from "#packaging/npm/build.ts";
import { canonicalText, compareText } from "#storage/hash/canonical.ts";
import { type Json, isObject, parseJson } from "#storage/json.ts";
import { Store } from "#storage/store.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));

/** A project that has installed the package, and nothing of ours. */
const project = mkdtempSync(join(tmpdir(), "census-npm-"));
const installed = join(project, "node_modules/census");

afterAll(() => rmSync(project, { recursive: true, force: true }));

function run(file: string, words: readonly string[], cwd = project): SpawnSyncReturns<string> {
  // Variables that vitest sets for its own processes.
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(?:VITEST|NODE_ENV|TEST)/.test(name)),
  );
  return spawnSync(file, words, { cwd, encoding: "utf8", env: { ...env, XDG_CACHE_HOME: join(project, "cache") } });
}

const runNode = (...words: string[]): SpawnSyncReturns<string> => run(process.execPath, words);

beforeAll(async () => {
  const folder = join(project, "built");
  await buildPackage(folder);
  // As npm would install it: what is in the archive that npm makes, and beside it what it depends on.
  const packed = run("npm", ["pack", "--json", "--pack-destination", project], folder);
  const [{ filename } = { filename: "" }] = JSON.parse(packed.stdout) as { filename: string }[];
  mkdirSync(installed, { recursive: true });
  run("tar", ["-xzf", join(project, filename), "--strip-components=1", "-C", installed]);
  rmSync(folder, { recursive: true });
  for (const name of ["@duckdb", "@types", "detect-libc", "undici-types", "vitest", "vite"]) {
    symlinkSync(join(root, "node_modules", name), join(project, "node_modules", name));
  }
  writeFileSync(join(project, "package.json"), JSON.stringify({ name: "a-project", type: "module" }));
});

/** The rows of an answer as texts that are the same for the same content: neither rows nor what they collect have an order. */
async function rows(store: Store, pql: string): Promise<string[]> {
  const texts: string[] = [];
  const { rows: found } = await store.queries.run(store.queries.plan({ of: "root", pql }));
  for await (const batch of found) texts.push(...batch.texts());
  return texts.map((text) => canonicalText(collected(parseJson(text)), "strings")).sort();
}

/** Elements in the order of their texts. */
function collected(value: Json): Json {
  if (Array.isArray(value)) {
    const elements = value.map(collected);
    return elements.sort((a, b) => compareText(canonicalText(a, "strings"), canonicalText(b, "strings")));
  }
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, collected(member)]));
}

describe("the npm package", () => {
  it("contains no source, depends on the engine only and cannot be published by accident", () => {
    const { dependencies, ...rest } = JSON.parse(readFileSync(join(installed, "package.json"), "utf8")) as Record<
      string,
      Record<string, string>
    >;
    expect(Object.keys(dependencies ?? {})).toStrictEqual(["@duckdb/node-bindings"]);
    expect(rest).toMatchObject({ name: "census", private: true, bin: { census: "./census.cjs" } });
    expect(readdirSync(join(installed, "docs"))).toStrictEqual(readdirSync(join(root, "docs")));
    const links = [...readFileSync(join(installed, "README.md"), "utf8").matchAll(/\]\(([\w/-]+\.md)/g)];
    expect(links.filter(([, path = ""]) => !existsSync(join(installed, path)))).toStrictEqual([]);
    expect(readFileSync(join(installed, "LICENCES"), "utf8")).toMatch(/^h3 2\.0\.8$/m);
  });

  it("runs", () => {
    const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
    const script = join(installed, "census.cjs");
    expect(runNode(script, "--version")).toMatchObject({ status: 0, stdout: `${version}\n`, stderr: "" });
    const command = `fetch(process.env.CENSUS_URL + "/pdb/query/v4/nodes").then((answer) => answer.json())
      .then((rows) => { console.log(rows.length); process.exit(5); })`;
    const words = ["fixture", "--", process.execPath, "-e", command];
    expect(runNode(script, ...words)).toMatchObject({ status: 5, stdout: "50\n", stderr: "" });
  });

  it("has the explorer, and its files beside the code", () => {
    const script = join(installed, "census.cjs");
    const command = `const { CENSUS_URL } = process.env;
      const page = await (await fetch(CENSUS_URL + "/explorer/nodes")).text();
      const paths = [...page.matchAll(/(?:href|src)="(\\/explorer\\/[^"]+)"/g)].map((match) => match[1]);
      const statuses = await Promise.all(paths.map(async (path) => (await fetch(CENSUS_URL + path)).status));
      const about = await (await fetch(CENSUS_URL + "/explorer/api/v1/about")).json();
      console.log(JSON.stringify([statuses.length > 4, statuses.every((status) => status === 200), about.source.kind]))`;
    const words = ["fixture", "--", process.execPath, "--input-type=module", "-e", command];
    expect(runNode(script, ...words)).toMatchObject({
      status: 0,
      stdout: '[true,true,"fixture"]\n',
      stderr: "",
    });
    expect(readFileSync(join(installed, "LICENCES"), "utf8")).toMatch(/^preact 11\.\d/m);
  });

  it("prepares large commands on threads", () => {
    const script = join(installed, "census.cjs");
    const words = ["fixture", "--nodes", "10", "--seed", "3", "--", process.execPath, "-e", "process.exit(6)"];
    expect(runNode(script, ...words)).toMatchObject({ status: 6, stderr: "" });
  });

  it("contains the same rows as the default population has when it is stored", async () => {
    const taken = await openContent({ kind: "population", activeNodes: usualActiveNodes, seed: usualPopulation.seed });
    const begun = await Store.open({ base: join(installed, baseName), clock: taken.clock, retention: taken.retention });
    for (const entity of ["nodes", "inventory", "facts", "catalogs", "reports", "events", "package_inventory"]) {
      const question = `${entity}[] {}`;
      const expected = await rows(taken, question);
      expect(expected.length).toBeGreaterThan(0);
      expect({ question, rows: await rows(begun, question) }).toStrictEqual({ question, rows: expected });
    }
    await taken.close();
    await begun.close();
  });

  it("runs the example of the documentation", () => {
    const page = readFileSync(join(root, "docs/fixtures.md"), "utf8");
    const [, example = ""] = /```ts\n(import \{ node, [^]*?)```/.exec(page) ?? [];
    const printing = example.replace("await fixture.query", "const rows = await fixture.query");
    writeFileSync(join(project, "example.ts"), `${printing}\nconsole.log(JSON.stringify(rows));\n`);
    const rows = [{ certname: "web-01", resource_title: "/etc/motd", message: "No space left on device" }];
    expect(runNode(join(project, "example.ts"))).toMatchObject({ status: 0, stdout: `${JSON.stringify(rows)}\n` });
  });

  it("gives each test the same fixture", () => {
    writeFileSync(
      join(project, "own.test.ts"),
      `import { node, startFixture, type Fixture } from "census/fixture";
      import { fixtureTest, test } from "census/vitest";
      import { expect, it } from "vitest";

      const empty = fixtureTest({ nodes: 0, now: "2025-01-02T03:04:05Z" });
      const facts = (certname: string) => ({
        command: "replace facts",
        payload: {
          certname, environment: "test", producer_timestamp: "2025-01-01T00:00:00Z", producer: null, values: { kernel: "Linux" },
        },
      });

      empty("begins with nothing", async ({ census }) => {
        expect(census.now).toBe("2025-01-02T03:04:05.000Z");
        await census.submit(facts("a"), facts("b"));
        expect(await census.query<{ certname: string }>("nodes[certname] { order by certname }")).toEqual([
          { certname: "a" }, { certname: "b" },
        ]);
      });
      empty("has nothing again", async ({ census }) => {
        expect(await census.query(["from", "nodes"])).toEqual([]);
        await fetch(census.url + "/pdb/cmd/v1?command=replace_facts&version=5&certname=c", {
          method: "POST", body: JSON.stringify(facts("c").payload), headers: { "content-type": "application/json" },
        });
      });
      empty("has nothing again after what came over HTTP", async ({ census }) => {
        expect(await census.query("nodes {}")).toEqual([]);
        await expect(census.submit({ command: "replace facts", payload: {} })).rejects.toThrow("certname");
        await expect(census.query("nodes {")).rejects.toThrow("PQL parse error");
      });
      test("has the usual nodes", async ({ census }) => {
        expect(census.nodes).toBe(50);
        const response = await fetch(census.url + "/pdb/query/v4/nodes");
        expect(await response.json()).toHaveLength(50);
      });
      it("has the nodes that a test makes", async () => {
        const web = node("web-01").fact("os.family", "Debian").failed("File[/etc/motd]", "no space");
        await using fixture = await startFixture({ nodes: [web] });
        expect(await fixture.query("events[certname, message] {}")).toEqual([{ certname: "web-01", message: "no space" }]);
      });
      it("starts several fixtures at once", async () => {
        const fixtures: Fixture[] = await Promise.all([startFixture({ nodes: 1 }), startFixture({ nodes: 2, seed: 3 })]);
        expect(fixtures.map(({ nodes }) => nodes)).toEqual([1, 2]);
        expect(new Set(fixtures.map(({ url }) => url)).size).toBe(2);
        for (const fixture of fixtures) await fixture.close();
        await expect(fetch(fixtures[0]!.url)).rejects.toThrow("fetch failed");
        await expect(startFixture({ from: "/nowhere" })).rejects.toThrow("/nowhere: no such file or directory");
        await expect(startFixture({ archive: "a", nodes: 1 })).rejects.toThrow("archive and nodes cannot be used together");
        await expect(startFixture({ now: "soon" })).rejects.toThrow("now must be a timestamp such as");
      });`,
    );
    const result = join(project, "result.json");
    const { stdout } = runNode(
      join(project, "node_modules/vitest/vitest.mjs"),
      "run",
      "--reporter=json",
      `--outputFile=${result}`,
    );
    const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(result, "utf8")) as Record<string, unknown>;
    expect({ numPassedTests, numFailedTests, stdout }).toMatchObject({
      numPassedTests: 6,
      numFailedTests: 0,
    });

    const options = { module: "nodenext", target: "es2024", lib: ["es2024", "esnext.disposable", "dom"], strict: true };
    const compilerOptions = { ...options, noEmit: true, types: [], skipLibCheck: false };
    writeFileSync(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["types.ts"] }));
    writeFileSync(
      join(project, "types.ts"),
      `import { node, startFixture, type FixtureOptions, type NodeBuilder } from "census/fixture";
      const built: NodeBuilder = node("a").fact("b", 1).failed("File[/c]", "no", { property: "mode" });
      // @ts-expect-error -- a failure needs a message
      export const silent = built.failed("File[/c]");
      const options: FixtureOptions = { nodes: 3 };
      const rows: { a: number }[] = await (await startFixture(options)).query<{ a: number }>("nodes {}");
      // @ts-expect-error -- no such option
      export const wrong = [startFixture({ node: 3 }), rows];`,
    );
    const checked = runNode(join(root, "node_modules/typescript/bin/tsc"), "-p", project);
    expect(checked).toMatchObject({ status: 0, stdout: "" });
  });
});

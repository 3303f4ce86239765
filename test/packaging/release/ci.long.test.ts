import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { version } from "#app/version.ts";
import { ownTarget } from "#packaging/executable/targets.ts";
import { sumOf } from "#packaging/release/archive.ts";
import { archivePath } from "#packaging/release/release.ts";
import { tarPieces } from "#packaging/release/tar.ts";
import { xzFile } from "#packaging/release/xz.ts";
import { facts, metadata } from "#test/cli/archives.ts";
import { startServer, workFolder } from "#test/cli/census.ts";
import { environment, executable, program } from "#test/program.ts";
import { tgz } from "#test/storage/archive/build.ts";
import type { Running } from "#test/running.ts";

const ci = resolve(import.meta.dirname, "../../../packaging/ci");
const folder = workFolder();
const repository = join(folder, "repository");
/** The archive of the release where the packaged program is tested; otherwise one whose program is started from the source. */
const archive = join(folder, `census-${version}-linux-x64.tar.xz`);
const rows = "certname\none\ntwo\n";

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
}
interface Job {
  readonly steps: readonly Step[];
  readonly env?: Readonly<Record<string, string>>;
}

const workflow = parse(readFileSync(join(ci, "github-workflow.yml"), "utf8")) as { jobs: Record<string, Job> };
const action = parse(readFileSync(join(ci, "setup-census/action.yml"), "utf8")) as {
  inputs: Record<string, { readonly required: boolean }>;
  runs: { using: string; steps: readonly Step[] };
};
const pipeline = readFileSync(join(ci, "Jenkinsfile"), "utf8");
const gitlab = parse(readFileSync(join(ci, "gitlab-ci.yml"), "utf8")) as {
  variables: Record<string, string>;
  ".census": { before_script: readonly string[]; cache: { key: string; paths: readonly string[] } };
  check: { script: readonly string[] };
  "with-a-service": {
    services: readonly [{ readonly alias: string }];
    script: readonly string[];
    variables: Record<string, string>;
  };
};

let sum = "";
let web: Server;
let address = "";
let fetched = 0;
beforeAll(async () => {
  mkdirSync(repository);
  const made = ownTarget === undefined ? undefined : archivePath(ownTarget);
  if (executable !== undefined && made !== undefined && existsSync(made)) cpSync(made, archive);
  else {
    const started = `#!/bin/sh\nexec ${program.map((word) => `'${word}'`).join(" ")} "$@"\n`;
    const files = [{ path: `census-${version}-linux-x64/census`, content: started, mode: 0o755 }];
    writeFileSync(archive, xzFile(await tarPieces(files, 1), 0));
  }
  sum = sumOf(archive);
  writeFileSync(join(repository, "export.tgz"), await tgz([metadata, facts("one", "{}"), facts("two", "{}")]));
  const check = "queries:\n  - { name: two, query: 'nodes[certname] {}', expect: { rows: 2 } }\n";
  writeFileSync(join(repository, "checks.yaml"), check);
  const tests = '#!/bin/sh\ncensus query "nodes[certname] { order by certname }" --output csv > tested.csv\n';
  writeFileSync(join(repository, "run-tests.sh"), tests, { mode: 0o755 });
  cpSync(join(ci, "setup-census"), join(repository, ".github/actions/setup-census"), { recursive: true });
  cpSync(join(ci, "setup-census/install.sh"), join(repository, "ci/install.sh"));
  web = createServer((_, response) => {
    fetched += 1;
    response.end(readFileSync(archive));
  }).listen(0, "127.0.0.1");
  await once(web, "listening");
  address = `http://127.0.0.1:${(web.address() as AddressInfo).port}/census-${version}-linux-x64.tar.xz`;
});
afterAll(() => web.close());

/** Runs a script as a step of a job, in the directory of the repository. */
async function step(shell: readonly string[], script: string, env: NodeJS.ProcessEnv): Promise<string> {
  const [file = "", ...words] = shell;
  const plain = { PATH: process.env["PATH"], HOME: folder, NODE_COMPILE_CACHE: environment()["NODE_COMPILE_CACHE"] };
  const child = spawn(file, [...words, script], { cwd: repository, env: { ...plain, ...env } });
  const [, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  return code === 0 ? "" : `exit code ${String(code)}: ${stderr}`;
}

const [bash, sh, traced] = [
  ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c"],
  ["sh", "-c"],
  ["sh", "-xec"],
];
const tested = (): string => readFileSync(join(repository, "tested.csv"), "utf8");
const lines = (file: string): string[] => readFileSync(file, "utf8").split("\n").filter(Boolean);
const forget = (): void => {
  for (const name of [".census", "tested.csv", "checks.xml", "temporary"]) {
    rmSync(join(repository, name), { recursive: true, force: true });
  }
};

describe.skipIf(process.platform === "win32")("install.sh", () => {
  const install = join(ci, "setup-census/install.sh");
  const run = (...words: readonly string[]): Promise<string> =>
    step(["sh", install, ...words.slice(0, -1)], words.at(-1) ?? "", {});

  it("refuses a file with another checksum, and leaves nothing of it", async () => {
    const into = join(folder, "refused");
    const wrong = "0".repeat(64);
    expect(await run(archive, wrong, into)).toContain(`${archive}: the checksum is ${sum} instead of ${wrong}`);
    expect(existsSync(join(into, "archive"))).toBe(false);
    expect(existsSync(join(into, "program"))).toBe(false);
    expect(await run(archive, "latest", into)).toContain("not a SHA-256 checksum: latest");
  });

  it("works in directories whose names have spaces and quotes", async () => {
    const into = "a folder that isn't plain";
    const script = `eval "$(sh ci/install.sh '${archive}' ${sum} "${into}")" && census --version`;
    expect(await step(sh, script, {})).toBe("");
    rmSync(join(repository, into), { recursive: true });
  });
});

/** Runs the steps of a job as the runner does: the path and the variables of a step are those that earlier ones wrote. */
async function runJob({ steps, env: ofJob = {} }: Job, changes: Readonly<Record<string, string>>): Promise<void> {
  const [paths, variables] = [join(folder, "github-path"), join(folder, "github-env")];
  for (const file of [paths, variables]) writeFileSync(file, "");
  const temporary = join(repository, "temporary");
  mkdirSync(temporary, { recursive: true });
  const run = async (one: Step, given: Readonly<Record<string, string>>): Promise<void> => {
    const script = one.run ?? "";
    expect(script).not.toContain("${{");
    const value = (expression: string): string =>
      expression.replaceAll(/\$\{\{ inputs\.(\w+) \}\}/g, (_, name: string) => given[name] ?? "");
    const own = Object.fromEntries(Object.entries(one.env ?? {}).map(([name, raw]) => [name, value(raw)]));
    const env = {
      GITHUB_PATH: paths,
      GITHUB_ENV: variables,
      RUNNER_TEMP: temporary,
      GITHUB_ACTION_PATH: join(repository, ".github/actions/setup-census"),
      PATH: [...lines(paths), process.env["PATH"]].join(":"),
      ...Object.fromEntries(lines(variables).map((line) => line.split("=", 2) as [string, string])),
      ...ofJob,
      ...changes,
      ...own,
    };
    expect(await step(bash, script, env)).toBe("");
  };
  for (const one of steps) {
    if (one.run !== undefined) await run(one, {});
    if (one.uses !== "./.github/actions/setup-census") continue;
    expect(Object.keys(one.with ?? {})).toEqual(Object.keys(action.inputs));
    for (const inner of action.runs.steps) {
      if (inner.run !== undefined) await run(inner, { file: address, sha256: sum });
    }
  }
}

describe.skipIf(process.platform === "win32")("as a job of GitHub Actions", () => {
  it("installs from an address, checks and tests, and fetches nothing if the cache has the release", async () => {
    forget();
    fetched = 0;
    const job = workflow.jobs["check"];
    if (job === undefined) throw new Error("no job");
    await runJob(job, {});
    expect([tested(), fetched]).toEqual([rows, 1]);
    const starts = { run: "census --version" };
    await runJob({ steps: [...job.steps.filter(({ uses }) => uses !== undefined), starts] }, {});
    expect(fetched).toBe(1);
    const cached = action.runs.steps.find(({ uses }) => uses?.startsWith("actions/cache@"))?.with;
    expect(cached).toEqual({ path: "${{ runner.temp }}/census", key: "census-${{ inputs.sha256 }}" });
  });

  it("imports into a service container", async () => {
    forget();
    const service: Running = await startServer(["serve", "--memory", "--port", "0"]);
    try {
      await runJob(workflow.jobs["with-a-service"] ?? { steps: [] }, { CENSUS_URL: service.url });
      expect(tested()).toBe(rows);
    } finally {
      await service.stop();
    }
  });
});

describe.skipIf(process.platform === "win32")("as a job of GitLab", () => {
  it("checks and tests, and needs no file if the cache has the release", async () => {
    forget();
    expect(Object.keys(gitlab.variables)).toEqual(["CENSUS_FILE", "CENSUS_SHA256"]);
    const script = [...gitlab[".census"].before_script, ...gitlab.check.script].join("\n");
    expect(await step(bash, script, { CENSUS_FILE: archive, CENSUS_SHA256: sum })).toBe("");
    expect(tested()).toBe(rows);
    expect(readFileSync(join(repository, "checks.xml"), "utf8")).toContain('failures="0"');
    expect(existsSync(join(repository, gitlab[".census"].cache.paths[0] ?? "", "program/census"))).toBe(true);
    const again = [...gitlab[".census"].before_script, "census --version"].join("\n");
    expect(await step(bash, again, { CENSUS_FILE: "/nonexistent", CENSUS_SHA256: sum })).toBe("");
  });

  it("does with a service what the job of GitHub Actions does", () => {
    const steps = workflow.jobs["with-a-service"]?.steps.flatMap(({ run }) => run ?? []);
    expect(gitlab["with-a-service"].script).toEqual(steps);
    const [{ alias }] = gitlab["with-a-service"].services;
    expect(gitlab["with-a-service"].variables).toEqual({ CENSUS_URL: `http://${alias}:8080` });
  });
});

it.skipIf(process.platform === "win32")("as a pipeline of Jenkins checks and tests", async () => {
  forget();
  const scripts = [...pipeline.matchAll(/sh '''([\s\S]*?)'''/g)].map(([, script = ""]) => script);
  expect(scripts).toHaveLength(2);
  for (const script of scripts) {
    expect(await step(traced, script, { CENSUS_FILE: archive, CENSUS_SHA256: sum })).toBe("");
  }
  expect(tested()).toBe(rows);
  expect(existsSync(join(repository, "checks.xml"))).toBe(true);
});

import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, renameSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll } from "vitest";
import { type RunOptions, type Running, SAMPLE, startServer, workFolder } from "#test/cli/census.ts";
import { writeHostileArchive } from "../hostile-archive.ts";

/** What a server of a test file shows. */
export type Shown = "sample" | "thousand" | "hostile" | "empty";

/** What the test files of a run make only once is here. */
const shared = process.env["CENSUS_TEST_SHARED"] ?? mkdtempSync(join(tmpdir(), "census-shared-"));

const running = new Map<Shown, Promise<Running>>();
afterAll(async () => {
  for (const server of running.values()) await (await server).stop();
});

/** The address of a server of this test file; it is started when it is first needed. */
export async function serverOf(shown: Shown): Promise<string> {
  let server = running.get(shown);
  if (server === undefined) running.set(shown, (server = start[shown]()));
  return (await server).url;
}

const start: Readonly<Record<Shown, () => Promise<Running>>> = {
  sample: async () => openArchive(SAMPLE),
  thousand: async () => openArchive(thousandNodes(), { env: { XDG_CACHE_HOME: shared } }),
  hostile: async () => openArchive(await writeHostileArchive(workFolder())),
  empty: async () => serveFolder(join(workFolder(), "data")),
};

/** Starts `census open` on a free port. */
export async function openArchive(path: string, options: RunOptions = {}): Promise<Running> {
  return startServer(["open", path, "--port", "0", "--no-browser"], options);
}

/** Starts `census serve` on a free port. */
export async function serveFolder(data: string, ...words: readonly string[]): Promise<Running> {
  return startServer(["serve", "--data", data, "--port", "0", ...words]);
}

/** An archive of 1,000 generated nodes; made once in a run of the tests. */
function thousandNodes(): string {
  const path = join(shared, "thousand.tgz");
  if (existsSync(path)) return path;
  const draft = join(mkdtempSync(join(shared, "draft-")), "thousand.tgz");
  const words = ["--nodes", "1000", "--seed", "7", "--reports", "6", "--leaves", "150", "--resources", "60"];
  execFileSync(process.execPath, [
    resolve(import.meta.dirname, "../../../fixtures/build.ts"),
    ...words,
    "--out",
    draft,
  ]);
  // Another test file may have made it meanwhile; it is the same.
  renameSync(draft, path);
  return path;
}

import { type ChildProcess, execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { startProgram } from "../../program.ts";
import { type Running, running } from "../../running.ts";

/** What the servers show that the test files of a run share. Tests only read from them. */
export const shownStores = ["sample", "thousand", "hostile", "empty"] as const;

export type ShownStore = (typeof shownStores)[number];

/** The variable with the address below which each test file finds the address of a server: `/sample`. */
export const SHARED_SERVERS = "CENSUS_TEST_SERVERS";

const root = resolve(import.meta.dirname, "../../..");

/** Set by `test/shared-folder.ts`, which runs before. */
const folder = (): string => process.env["CENSUS_TEST_SHARED"] ?? tmpdir();

const started = new Map<ShownStore, Promise<Running>>();
const children = new Set<ChildProcess>();

/**
 * Starts a server when the first test file of a run needs it, so that each is started once. What is shown takes a while to be
 * made and opened, and a server that runs from source bundles its pages.
 * @returns ends all
 */
export default async function setup(): Promise<() => Promise<void>> {
  // Another project of vitest.config.ts has started them.
  if (process.env[SHARED_SERVERS] !== undefined) return () => Promise.resolve();
  const directory = createServer(({ url = "" }, response) => {
    const shown = shownStores.find((store) => url === `/${store}`);
    if (shown === undefined) {
      response.writeHead(404).end();
      return;
    }
    let server = started.get(shown);
    if (server === undefined) started.set(shown, (server = start[shown]()));
    server.then(
      (ready) => response.end(ready.url),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  directory.listen(0, "127.0.0.1");
  await once(directory, "listening");
  // A run that is interrupted ends without the function below.
  process.once("exit", () => children.forEach((child) => child.kill()));
  process.env[SHARED_SERVERS] = `http://127.0.0.1:${(directory.address() as AddressInfo).port}`;
  return async () => {
    directory.closeAllConnections();
    directory.close();
    await Promise.allSettled([...started.values()].map(async (server) => (await server).stop()));
  };
}

const start: Readonly<Record<ShownStore, () => Promise<Running>>> = {
  sample: async () => open(join(root, "fixtures/sample.tgz")),
  thousand: async () => open(await thousandNodes()),
  hostile: async () => {
    // Loaded on demand: most runs have no test that needs it.
    const { writeHostileArchive } = await import("../hostile-archive.ts");
    return open(await writeHostileArchive(mkdtempSync(join(folder(), "hostile-"))));
  },
  empty: async () => census("serve", "--data", mkdtempSync(join(folder(), "empty-"))),
};

async function open(archive: string): Promise<Running> {
  return census("open", archive, "--no-browser");
}

async function census(...words: readonly string[]): Promise<Running> {
  const child = startProgram([...words, "--port", "0"], { env: { XDG_CACHE_HOME: join(folder(), "opened") } });
  children.add(child);
  child.once("exit", () => children.delete(child));
  return running(child);
}

/** An archive of 1,000 generated nodes, each with little. */
async function thousandNodes(): Promise<string> {
  const path = join(folder(), "thousand.tgz");
  const words = ["--nodes", "1000", "--seed", "7", "--reports", "2", "--leaves", "40", "--resources", "20"];
  await promisify(execFile)(process.execPath, [join(root, "fixtures/build.ts"), ...words, "--out", path]);
  return path;
}

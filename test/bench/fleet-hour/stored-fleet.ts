import { createHash } from "node:crypto";
import {
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fsyncSync,
  globSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { schemaVersion } from "#storage/schema/migrate.ts";
import { awaitIdle } from "../awaiting.ts";
import type { Bench } from "../bench.ts";
import { fromSource, startCensus } from "../census-process.ts";
import { directorySize } from "../directory-size.ts";
import { largeFleet } from "../fleet/large-fleet.ts";
import { benchFolder, fixtureSources } from "../population.ts";
import { CommandPoster, type WireCommand } from "../posting.ts";
import { WireConnection } from "../wire.ts";
import { oldReports, retiredNodes } from "./old-data.ts";

/** A data directory with one run of every node. */
export interface StoredFleet {
  readonly directory: string;
  /** when it was made, ms since the epoch */
  readonly made: number;
}

interface Marker {
  /** of everything that the contents depend on */
  readonly digest: string;
  readonly made: number;
}

const CONNECTIONS = 8;

/** After this many commands the queue is worked off, so that it needs little of the disk. */
const PORTION = 6000;

/** The mode that Census gives its directories. */
const OWNER_ONLY = 0o700;

/** Everything that is sent is kept, and nothing else uses the processors. */
const settings = ["--gc-interval", "0", "--report-ttl", "30d"];

/** Made once for each number of nodes: this takes 10 to 20 minutes for 100,000. */
export async function storedFleet(bench: Bench, nodes: number): Promise<StoredFleet> {
  const folder = join(benchFolder, "data", `fleet-hour-${nodes}-nodes`);
  const [directory, marker] = [join(folder, "made"), join(folder, "made.json")];
  const digest = digestOf(nodes);
  const earlier = existsSync(marker) ? (JSON.parse(readFileSync(marker, "utf8")) as Marker) : undefined;
  if (earlier?.digest === digest) return { directory, made: earlier.made };
  rmSync(folder, { recursive: true, force: true });
  const made = Date.now();
  await makeStore(bench, directory, nodes, made);
  writeFileSync(marker, JSON.stringify({ digest, made } satisfies Marker));
  return { directory, made };
}

/** A copy that can be changed; it is on the disk when this returns. */
export function copyOf({ directory }: StoredFleet): string {
  const copy = join(dirname(directory), "copy");
  rmSync(copy, { recursive: true, force: true });
  for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const from = join(entry.parentPath, entry.name);
    const to = join(copy, from.slice(directory.length));
    mkdirSync(dirname(to), { recursive: true, mode: OWNER_ONLY });
    copyFileSync(from, to, constants.COPYFILE_FICLONE);
    const descriptor = openSync(to, "r+");
    fsyncSync(descriptor);
    closeSync(descriptor);
  }
  return copy;
}

async function makeStore(bench: Bench, directory: string, nodes: number, made: number): Promise<void> {
  mkdirSync(directory, { recursive: true, mode: OWNER_ONLY });
  bench.progress(`making ${directory}`);
  const server = await startCensus(directory, undefined, fromSource(false), settings);
  try {
    const commands = allCommands(nodes, made);
    for (let sent = 0; ;) {
      const count = await post(server.url, next(commands, PORTION));
      await awaitIdle(server.url);
      sent += count;
      const seconds = (Date.now() - made) / 1000;
      bench.progress(`fleet of ${nodes} nodes: ${sent} commands stored in ${seconds.toFixed(0)} s`);
      if (count < PORTION) break;
    }
    await compact(server.url);
    bench.progress(`made ${directory}: ${(directorySize(directory) / 1e6).toFixed(0)} MB`);
  } finally {
    await server.close();
  }
}

/** Over connections of its own, for the server closes those that are idle while it stores the commands. @returns how many */
async function post(url: string, commands: Iterable<WireCommand>): Promise<number> {
  const poster = await CommandPoster.open(url, CONNECTIONS);
  try {
    return await poster.postAll(commands);
  } finally {
    poster.close();
  }
}

/** Makes the files as small as maintenance leaves them, so that their growth in the hour is not hidden. */
async function compact(url: string): Promise<void> {
  const connection = await WireConnection.open(url);
  // An operation that finds nothing to do, because the file is compacted after it.
  const body = JSON.stringify({ command: "clean", version: 1, payload: ["gc_packages"] });
  const answer = await connection.post("/pdb/admin/v1/cmd", Buffer.from(body));
  connection.close();
  if (answer.status !== 200) throw new Error(`clean: ${answer.status} ${answer.body.toString().slice(0, 300)}`);
}

function* allCommands(nodes: number, made: number): Generator<WireCommand> {
  yield* oldReports(nodes, made);
  yield* retiredNodes(nodes, made);
  for (let node = 0; node < nodes; node++) yield* largeFleet.run(node, 0, Date.now());
}

/** The next ones, which the generator can be continued after. */
function* next<T>(all: Generator<T, void>, count: number): Generator<T> {
  for (let taken = 0; taken < count; taken++) {
    const { value, done } = all.next();
    if (done === true) return;
    yield value;
  }
}

function digestOf(nodes: number): string {
  const sources = ["../fleet/*.ts", "./old-data.ts"]
    .flatMap((pattern) => globSync(pattern, { cwd: import.meta.dirname, exclude: ["**/*.test.ts"] }))
    .sort()
    .map((path) => readFileSync(resolve(import.meta.dirname, path), "utf8"));
  return createHash("sha1")
    .update(JSON.stringify([nodes, schemaVersion, ...sources]))
    .update(fixtureSources())
    .digest("hex");
}

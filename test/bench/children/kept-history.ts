import { rmSync } from "node:fs";
import { join } from "node:path";
import { logForm } from "#cli/short-forms/log.ts";
import type { ReadRows } from "#cli/sources/read-rows.ts";
import { Database } from "#storage/engine/database.ts";
import { documentTable, historyTables, purgeHistory } from "#storage/history/state.ts";
import { fileSpace, tableSpace } from "#storage/lifecycle/file-space.ts";
import { defaultRetention } from "#storage/lifecycle/retention.ts";
import { databaseFile } from "#storage/store-database.ts";
import { Store } from "#storage/store.ts";
import { type Clock, type Timestamp, timestampOfMillis } from "#storage/time.ts";
import { Fleet } from "../fleet/fleet.ts";
import { RUN_INTERVAL } from "../fleet/node-runs.ts";
import { processorTime } from "../processor-time.ts";
import { jsonRowsOf, rowsOf } from "../rows-of.ts";
import { submissionOf } from "../submission.ts";
import { runJob } from "./job.ts";

/** The fleet whose history is filled. */
export interface KeptHistoryInput {
  readonly directory: string;
  readonly nodes: number;
  readonly days: number;
}

/** What the history of those days comes to. */
export interface KeptHistoryOutput {
  /** bytes of the file for each node and day: for changes, and for the times of documents */
  readonly changes: number;
  readonly documents: number;
  /** time until the queries of `census log NODE` are answered, in ms; a number for each node */
  readonly logs: readonly number[];
  /** processor time of all threads until all changes of a node are returned with all fields, in ms; a number for each node */
  readonly allChanges: readonly number[];
  /** rows that were returned of the last node */
  readonly rows: number;
  /** processor time until a day of the history is deleted and its space is free, in ms; a number for each of the first days */
  readonly purges: readonly number[];
}

const RUNS_A_DAY = 48;
const LOGS = 20;
const PURGES = 5;
const DAY = 24 * 60 * 60_000;

const changeEntities = ["fact_changes", "resource_changes", "package_changes", "catalog_changes"] as const;

/** Written as they would be recorded, since to send millions of commands takes hours: one run is sent, the rest is made. */
runJob(async ({ directory, nodes, days }: KeptHistoryInput): Promise<KeptHistoryOutput> => {
  rmSync(directory, { recursive: true, force: true });
  const fleet = new Fleet(nodes);
  const clock: Clock = { now: () => timestampOfMillis(fleet.endOf(0)) };
  const open = async (): Promise<Store> => Store.open({ directory, clock, retention: defaultRetention });
  const sent = await open();
  await Promise.all([...fleet.run(0)].map(async (command) => sent.submit(submissionOf(command, clock.now()))));
  await sent.close();
  const begin = fleet.endOf(0) - days * RUNS_A_DAY * RUN_INTERVAL;
  const sizes = await fill(join(directory, databaseFile), nodes * days, { begin, runs: days * RUNS_A_DAY });
  const store = await open();
  // As in a server in use, which has the names of nodes in memory.
  const [next] = fleet.run(1);
  if (next !== undefined) await store.submit(submissionOf(next, clock.now()));
  const [logs, allChanges]: [number[], number[]] = [[], []];
  let rows = 0;
  for (const certname of [...fleet.certnames].slice(0, LOGS)) {
    const begun = performance.now();
    await readLog(store, certname, clock.now());
    logs.push(performance.now() - begun);
    rows = 0;
    const readAll = async (): Promise<void> => {
      for (const entity of changeEntities) rows += await rowsOf(store, `${entity} { certname = "${certname}" }`);
    };
    allChanges.push(await processorTime(readAll));
  }
  await store.close();
  const purges = await purgeDays(join(directory, databaseFile), begin);
  rmSync(directory, { recursive: true, force: true });
  return { ...sizes, logs, allChanges, rows, purges };
});

/** Reads what `census log NODE` shows. */
async function readLog(store: Store, certname: string, now: Timestamp): Promise<void> {
  const { query, fold } = logForm({ of: certname });
  const read: ReadRows = async (pql) => jsonRowsOf(store, pql);
  await fold?.rows(await read(query(now)), read);
}

/** Deletes the first days, one after another. */
async function purgeDays(path: string, begin: number): Promise<number[]> {
  const database = await Database.open({ path });
  const purges: number[] = [];
  for (let day = 1; day <= PURGES; day++) {
    const purge = async (): Promise<void> => {
      await database.transaction(async (tx) => purgeHistory(tx, timestampOfMillis(begin + day * DAY)));
      await database.checkpoint();
    };
    purges.push(await processorTime(purge));
  }
  await database.close();
  return purges;
}

/** SQL of a text as long as a hash, another for each node and run. */
function digest(seed: string): string {
  return `sha1(concat('${seed}', node_id, run))`;
}

/** Each run in its place, one catalog in fifty with a changed resource, one recorded change of a fact a day. */
async function fill(
  path: string,
  nodeDays: number,
  { begin, runs }: { readonly begin: number; readonly runs: number },
): Promise<Pick<KeptHistoryOutput, "changes" | "documents">> {
  const database = await Database.open({ path });
  const sizeOf = async (tables: readonly string[]): Promise<number> => {
    await database.checkpoint();
    const { blockSize } = await fileSpace(database);
    let blocks = 0;
    for (const table of tables) blocks += (await tableSpace(database, table)).blocks;
    return (blocks * blockSize) / nodeDays;
  };
  const time = `make_timestamp(${begin * 1000} + run * ${RUN_INTERVAL * 1000} + node_id * 97)`;
  const each = `(SELECT run, id AS node_id, hash(run, id) AS chance FROM range(${runs}) r(run), nodes)`;
  const uuid = `(substr(${digest("t")}, 1, 8) || '-' || substr(${digest("u")}, 1, 27))`;
  await database.execute(`INSERT INTO ${documentTable} (node_id, is_catalog, produced)
    SELECT node_id, is_catalog, ${time} + to_microseconds(is_catalog::INTEGER * 1000000)
    FROM ${each}, (VALUES (false), (true)) kinds(is_catalog) ORDER BY run, node_id, is_catalog`);
  await database.execute(`INSERT INTO history_resources
    SELECT node_id, 'File', '/etc/fleet/release', 1 + chance % 10000, 1 + chance % 9999, ${time}, ${uuid}
    FROM ${each} WHERE chance % 50 = 0 ORDER BY run, node_id`);
  await database.execute(`INSERT INTO history_nodes
    SELECT node_id, 'catalog', ${digest("before")}, ${digest("after")}, ${time}, ${uuid}
    FROM ${each} WHERE chance % 50 = 0 ORDER BY run, node_id`);
  await database.execute(`INSERT INTO history_facts
    SELECT node_id, '["fact' || (chance >> 8) % 150 || '", "part"]', to_json(chance::VARCHAR), to_json((chance + 1)::VARCHAR), ${time}
    FROM ${each} WHERE chance % ${RUNS_A_DAY} = 1 ORDER BY run, node_id`);
  const sizes = { changes: await sizeOf(historyTables), documents: await sizeOf([documentTable]) };
  await database.close();
  return sizes;
}

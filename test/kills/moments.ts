import { once } from "node:events";
import { createReadStream } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { writeArchiveFile } from "#storage/archive/write.ts";
import type { Random } from "#fixtures/random.ts";
import { type CampaignCommand, type CommandMaker, NOW } from "#test/campaign/commands.ts";
import { Connection } from "#test/campaign/http.ts";
import type { Ledger } from "#test/campaign/ledger.ts";
import type { Load } from "#test/campaign/load.ts";
import { startProgram } from "#test/program.ts";

/** What a round of kills works with. */
export interface Round {
  readonly url: string;
  readonly folder: string;
  readonly directory: string;
  readonly load: Load;
  readonly ledger: Ledger;
  readonly maker: CommandMaker;
  readonly random: Random;
  readonly signal: AbortSignal;
  /** Commands of each archive that was posted: of an archive all are stored, or none. */
  readonly archives: (readonly CampaignCommand[])[];
}

/** What goes on beside the load of commands when the server is killed. */
type Moment = (round: Round) => Promise<void>;

/** Until the server is gone. */
async function again(round: Round, work: (connection: Connection) => Promise<unknown>): Promise<void> {
  using connection = new Connection(round.url);
  try {
    while (!round.signal.aborted) await work(connection);
  } catch {
    // The server has been killed.
  }
}

const clean = (connection: Connection, ...operations: readonly string[]): Promise<unknown> =>
  connection.send("POST", "/pdb/admin/v1/cmd", JSON.stringify({ command: "clean", version: 1, payload: operations }));

/** Moments at which a running server is killed, with how often. */
export const moments: Readonly<Record<string, { readonly weight: number; readonly beside: Moment }>> = {
  load: { weight: 5, beside: async () => undefined },
  backup: {
    weight: 1,
    beside: (round) => again(round, (connection) => connection.send("GET", "/pdb/admin/v1/backup")),
  },
  export: {
    weight: 1,
    beside: (round) => again(round, (connection) => connection.send("GET", "/pdb/admin/v1/archive")),
  },
  "archive import": { weight: 2, beside: (round) => again(round, (connection) => postArchive(round, connection)) },
  compaction: { weight: 2, beside: (round) => again(round, (connection) => churn(round, connection)) },
  queries: {
    weight: 1,
    beside: (round) => again(round, (connection) => connection.rows("resources", ["~", "title", "campaign"])),
  },
};

/** Fills nodes that no client counts on, deletes them, and has the file made smaller. */
async function churn({ maker, load }: Round, connection: Connection): Promise<void> {
  for (let count = 0; count < 6; count++) {
    const { payload } = maker.make("facts", `churn-${count}.example.com`, load.nextNumber());
    const facts = JSON.parse(payload) as { values: Record<string, unknown> };
    for (let index = 0; index < 300; index++) facts.values[`churn_${index}`] = `${count} ${index} `.repeat(20);
    const path = `/pdb/cmd/v1?command=replace_facts&version=5&certname=churn-${count}.example.com`;
    await connection.send("POST", `${path}&secondsToWaitForCompletion=10`, JSON.stringify(facts));
  }
  for (let count = 0; count < 6; count++) {
    const payload = { certname: `churn-${count}.example.com` };
    await connection.send("POST", "/pdb/admin/v1/cmd", JSON.stringify({ command: "delete", version: 1, payload }));
  }
  await clean(connection, "gc_catalogs", "gc_fact_paths", "gc_packages", "other", "expire_nodes");
}

const metadata = {
  timestamp: NOW,
  command_versions: {
    replace_catalog: 9,
    store_report: 8,
    replace_facts: 5,
    configure_expiration: 1,
    replace_catalog_inputs: 1,
  },
};

/** Writes an archive of new reports and facts. */
async function writeArchive({ maker, load, folder, random }: Round, nodes: number): Promise<Written> {
  const commands: CampaignCommand[] = [];
  for (let node = 0; node < nodes; node++) {
    const certname = `archived-${random.hex(8)}.example.com`;
    for (const kind of ["report", "report", "facts"] as const)
      commands.push(maker.make(kind, certname, load.nextNumber()));
  }
  const path = join(folder, "archive.tgz");
  await writeArchiveFile(path, members(commands), { format: "tar.gz", mtime: new Date(NOW) });
  return { path, commands };
}

interface Written {
  readonly path: string;
  readonly commands: readonly CampaignCommand[];
}

async function* members(commands: readonly CampaignCommand[]) {
  yield { name: "puppetdb-bak/export-metadata.json", body: Buffer.from(JSON.stringify(metadata)) };
  for (const { kind, certname, number, payload } of commands) {
    const folder = kind === "report" ? "reports" : "facts";
    const name = kind === "report" ? `${certname}-${number.toString(16).padStart(40, "0")}` : certname;
    yield { name: `puppetdb-bak/${folder}/${name}.json`, body: Buffer.from(payload) };
  }
}

/** Has a running server import an archive. */
async function postArchive(round: Round, connection: Connection): Promise<void> {
  const { path, commands } = await writeArchive(round, 10);
  const content = Buffer.concat(await createReadStream(path).toArray());
  const head =
    '--b\r\nContent-Disposition: form-data; name="archive"; filename="a.tgz"\r\nContent-Type: application/gzip\r\n\r\n';
  const body = Buffer.concat([Buffer.from(head), content, Buffer.from("\r\n--b--\r\n")]);
  for (const command of commands) round.ledger.sent(command);
  round.archives.push(commands);
  const type = "multipart/form-data; boundary=b";
  const { status } = await connection.send("POST", "/pdb/admin/v1/archive", body, 60_000, type);
  for (const { number } of commands) round.ledger.answered(number, status === 200 ? "acknowledged" : "refused");
}

/**
 * Runs `census import` on the directory of a server that has ended, and kills it somewhere.
 * @returns the commands of the archive, of which all or none have to be stored
 */
export async function killedImport(round: Omit<Round, "url">): Promise<readonly CampaignCommand[]> {
  const { path, commands } = await writeArchive({ ...round, url: "" }, 60);
  for (const command of commands) round.ledger.sent(command);
  const child = startProgram(["import", path, "--data", round.directory, "--now", NOW]);
  child.stdin.end();
  child.stdout.resume();
  child.stderr.resume();
  const ended = once(child, "close");
  await Promise.race([ended, delay(round.random.integer(50, 1500))]);
  child.kill("SIGKILL");
  const [code] = (await ended) as [number | null];
  if (code === 0) for (const { number } of commands) round.ledger.answered(number, "acknowledged");
  return commands;
}

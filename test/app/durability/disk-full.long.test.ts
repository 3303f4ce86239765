import { open, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { Random } from "#fixtures/random.ts";
import { a, type TextSubmission } from "#test/fixture-store.ts";
import { type Connection, connect } from "./client.ts";
import { NOW } from "./numbered.ts";
import { type ServiceProcess, startProcess } from "./service-process.ts";
import { isLeftOut, RESTRICTED_MACHINE } from "#test/left-out.ts";
import { mountSmallDisk } from "./small-disk.ts";

const MEGABYTE = 1024 * 1024;

/**
 * Space for the engine's log up to the size at which it writes that into its file (16 MB), and for the commands that get
 * it there (10 MB), but not for what is written then.
 */
const ROOM = 28;
/** The size of the file that is deleted to free disk space: enough for all acknowledged commands. */
const BALLAST = 40;

const CONNECTIONS = 8;

const disk = mountSmallDisk(ROOM + BALLAST);
const isSkipped = isLeftOut(
  "a full disk",
  disk === undefined ? "a small file system cannot be mounted" : undefined,
  RESTRICTED_MACHINE,
);

const random = new Random("disk full");
let number = 0;

/** Facts of a node of their own with 20 kB in them that nothing makes smaller. */
function next(): { number: number; command: TextSubmission } {
  const noise = Array.from({ length: 2500 }, () => random.word().toString(16).padStart(8, "0")).join("");
  const values = { number, noise };
  const command = a.facts(`node-${number}`, { producer_timestamp: "2026-11-20T10:00:00Z", values });
  return { number: number++, command };
}

const noRoom =
  "the command was not accepted: the queue cannot be written: ENOSPC: no space left on device, write; free disk space, then try again";
const halted = ": cannot be written, and no commands are stored: ";
const over = ": can be written again after ";

/** Sends commands over all connections until there is enough; `refused` counts those that were refused for lack of disk space. */
async function fill(
  url: string,
  { wait, isEnough }: { wait: number; isEnough: (refused: number) => boolean },
  acknowledged: number[],
): Promise<void> {
  let refused = 0;
  const send = async (): Promise<void> => {
    const connection = connect(url);
    while (!isEnough(refused)) {
      const { number, command } = next();
      const { status, text } = await connection.post(command, wait);
      // A client that waited too long for it to be stored has its uuid nevertheless: it is in the queue.
      if (text.includes('"uuid"')) acknowledged.push(number);
      else if (status === 503 && text === noRoom) refused++;
      else throw new Error(`a command was answered with ${status}: ${text}`);
    }
    connection.close();
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, send));
}

/** Sends one query after another until the signal is aborted; counts the responses by kind. */
async function queryUntil(url: string, signal: AbortSignal): Promise<Map<string, number>> {
  const connection = connect(url);
  const answers = new Map<string, number>();
  while (!signal.aborted) {
    const answer = await connection.rows("facts", ["extract", "certname", ["=", "name", "noise"]]).then(
      () => "rows",
      (error: unknown) => String(error).replaceAll(/\S*census-disk\S*/g, "<place>"),
    );
    answers.set(answer, (answers.get(answer) ?? 0) + 1);
  }
  connection.close();
  return answers;
}

/** Numbers of the stored facts. Tries again while the file is being reopened. */
async function numbersIn(connection: Connection): Promise<Set<unknown>> {
  const select = (): Promise<Record<string, unknown>[]> =>
    connection.rows("facts", ["extract", "value", ["=", "name", "number"]]);
  const rows = await vi.waitFor(select, { timeout: 60_000, interval: 100 });
  return new Set(rows.map(({ value }) => value));
}

interface Status {
  readonly state: string;
  readonly status: { readonly problem?: string };
}

async function statusOf(url: string): Promise<Status> {
  const response = await fetch(`${url}/status/v1/services/puppetdb-status`);
  return (await response.json()) as Status;
}

const missing = (acknowledged: readonly number[], stored: ReadonlySet<unknown>): number[] =>
  acknowledged.filter((one) => !stored.has(one));

/** Fills a file until the disk takes no more. */
async function takeAllRoom(path: string): Promise<void> {
  await using file = await open(path, "w");
  const piece = Buffer.alloc(4096, 1);
  const isTaken = (): Promise<boolean> =>
    file.write(piece).then(
      ({ bytesWritten }) => bytesWritten > 0,
      () => false,
    );
  while (await isTaken());
}

/** Starts the program and ends it in any case. */
async function serving<T>(directory: string, work: (url: string, service: ServiceProcess) => Promise<T>): Promise<T> {
  const service = startProcess(directory, NOW);
  try {
    return await work(await service.ready, service);
  } finally {
    await service.kill();
  }
}

describe.skipIf(isSkipped)("a full disk", () => {
  it("refuses commands, loses no acknowledged one, allows a start, and recovers with free space", async () => {
    using small = disk;
    if (small === undefined) return;
    const [directory, ballast] = [join(small.path, "data"), join(small.path, "ballast")];
    await writeFile(ballast, Buffer.alloc(BALLAST * MEGABYTE, 1));
    const acknowledged: number[] = [];
    await serving(directory, async (url, service) => {
      const querying = new AbortController();
      const answers = queryUntil(url, querying.signal);
      // Each waits until it is stored, so that the engine gets as far as it can before the queue takes the rest.
      await fill(url, { wait: 2, isEnough: () => service.said().includes(halted) }, acknowledged);
      await fill(url, { wait: 0, isEnough: (refused) => refused > 100 }, acknowledged);
      const full = await statusOf(url);
      expect(full).toMatchObject({
        state: "error",
        status: { problem: expect.stringContaining(halted) as string, disk_free_bytes: expect.any(Number) as number },
        active_alerts: [{ severity: "critical", message: full.status.problem }],
      });
      const metrics = await (await fetch(`${url}/metrics`)).text();
      expect(metrics).toMatch(/^puppetdb_storage_writable 0$/m);
      expect(metrics).toMatch(/^puppetdb_storage_free_bytes \d+$/m);

      const connection = connect(url);
      expect(await numbersIn(connection)).not.toEqual(new Set());
      await rm(ballast);
      const { command } = next();
      expect(await connection.post(command, 60)).toMatchObject({ status: 200 });
      expect(missing(acknowledged, await numbersIn(connection))).toEqual([]);
      connection.close();
      await expect.poll(async () => (await statusOf(url)).state, { timeout: 60_000 }).toBe("running");
      // A line when it began and one when it ended, however many commands were refused.
      for (const text of [halted, over]) expect(service.said().split(text)).toHaveLength(2);
      querying.abort();
      // Queries in between got an error that says to try again, without a long wait.
      const [rows = 0, others] = [
        (await answers).get("rows"),
        [...(await answers).keys()].filter((text) => text !== "rows"),
      ];
      expect(rows).toBeGreaterThan(0);
      for (const answer of others) expect(answer).toMatch(/answered with 503|socket hang up|aborted/);
      expect(await service.stop()).toBe(0);
    });
    await takeAllRoom(ballast);
    await serving(directory, async (url) => {
      const connection = connect(url);
      expect(missing(acknowledged, await numbersIn(connection))).toEqual([]);
      expect(await connection.post(next().command)).toEqual({ status: 503, text: noRoom });
      await rm(ballast);
      expect(await connection.post(next().command, 60)).toMatchObject({ status: 200 });
      connection.close();
    });
  });
});

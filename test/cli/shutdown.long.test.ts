import { once } from "node:events";
import { existsSync, readdirSync, statSync } from "node:fs";
import { type IncomingMessage, request } from "node:http";
import { connect as openSocket } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "#storage/json.ts";
import { type Connection, connect } from "#test/app/durability/client.ts";
import { NOW, numbered, uuidOf } from "#test/app/durability/numbered.ts";
import { startProcess } from "#test/app/durability/service-process.ts";
import { a } from "#test/fixture-store.ts";
import { temporaryFolder } from "#test/fixture-folder.ts";
import { startServer } from "./census.ts";

/** A response of 12 MB, more than the buffers of sockets contain. */
const [NODES, FACTS] = [12, 1000];
const REPORTS = 400;

async function fill(connection: Connection): Promise<void> {
  const values: JsonObject = Object.fromEntries(
    Array.from({ length: FACTS }, (_, n) => [`fact_${n}`, `${n} `.padEnd(1000, "x")]),
  );
  for (let n = 0; n < NODES; n++) {
    const { status } = await connection.post(a.facts(`filled-${n}`, { values }), 60);
    expect(status).toBe(200);
  }
}

/** Requests more than the buffers contain, and does not read it yet. */
async function slowAnswer(url: string): Promise<IncomingMessage> {
  const outgoing = request(`${url}/pdb/query/v4/facts`);
  outgoing.on("error", () => undefined).end();
  const [response] = (await once(outgoing, "response")) as [IncomingMessage];
  return response.on("error", () => undefined).pause();
}

/** Resolves when no server listens there any more. */
async function refused(url: string): Promise<void> {
  const { hostname, port } = new URL(url);
  for (;;) {
    const socket = openSocket({ host: hostname, port: Number(port) });
    const isOpen = await Promise.race([
      once(socket, "connect").then(() => true),
      // Rejects with the reason.
      once(socket, "close").then(() => false),
    ]).catch(() => false);
    socket.destroy();
    if (!isOpen) return;
  }
}

/** Bytes of the files that only an unclean end needs: the engine's log, and commands that were not stored. */
function leftover(directory: string): { wal: number; queue: number } {
  const wal = join(directory, "census.duckdb.wal");
  const queue = join(directory, "queue/commands");
  const sizes = readdirSync(queue).map((name) => statSync(join(queue, name)).size);
  return { wal: existsSync(wal) ? statSync(wal).size : 0, queue: sizes.reduce((sum, size) => sum + size, 0) };
}

describe("SIGTERM while a response is being sent and commands wait", () => {
  it("ends the process after the complete response, and no command is lost", async () => {
    await using folder = await temporaryFolder();
    const first = startProcess(folder.path, NOW);
    const url = await first.ready;
    const connection = connect(url);
    await fill(connection);
    const response = await slowAnswer(url);

    // One behind the other: the last has hardly been looked at when the first signal comes.
    const reports = Array.from({ length: REPORTS }, (_, n) => numbered(n * 7, 0));
    const senders = Array.from({ length: 8 }, () => connect(url));
    const responses = await Promise.all(
      reports.map(({ command }, n) => (senders[n % senders.length] ?? connection).post(command)),
    );
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));

    const ended = first.stop();
    await refused(url);
    const rows = JSON.parse(await text(response)) as unknown[];
    expect(rows).toHaveLength(NODES * FACTS);
    expect(await ended).toBe(0);
    expect(first.said()).not.toMatch(/error/i);
    expect(leftover(folder.path).wal).toBe(0);
    for (const sender of [connection, ...senders]) sender.close();

    const second = startProcess(folder.path, NOW);
    const again = connect(await second.ready);
    // What waited is dealt with first.
    expect((await again.post(a.facts("last"), 60)).text).toContain(`"processed" : true`);
    const found = await again.rows("reports", ["extract", "transaction_uuid"]);
    const uuids = new Set(found.map((row) => row["transaction_uuid"]));
    expect(reports.filter(({ number }) => !uuids.has(uuidOf(number)))).toEqual([]);
    again.close();
    expect(await second.stop()).toBe(0);
    expect(leftover(folder.path)).toEqual({ wal: 0, queue: 0 });
  });

  it("does not wait longer than shutdown-timeout-seconds for a client that has stopped reading", async () => {
    const server = await startServer(["serve", "--memory", "--port", "0", "--shutdown-timeout-seconds", "0.5"]);
    const connection = connect(server.url);
    await fill(connection);
    const response = await slowAnswer(server.url);
    const began = performance.now();
    expect(await server.stop()).toBe(0);
    // By default it waits eight seconds.
    expect(performance.now() - began).toBeLessThan(7500);
    response.destroy();
    connection.close();
  });
});

import { join } from "node:path";
import { expect, it } from "vitest";
import { DeadLetters } from "#storage/queue/dead-letters.ts";
import { FileLog } from "#storage/queue/file-log.ts";
import { a, type TextSubmission } from "#test/fixture-store.ts";
import { temporaryFolder } from "#test/fixture-folder.ts";
import { connect } from "./client.ts";
import { NOW } from "./numbered.ts";
import { type ServiceProcess, startProcess } from "./service-process.ts";

/** More than an idle service takes, and less than the fact set below makes of it. */
const DATA = 1_900_000_000;

/** Puts commands into a queue as an older version did, which accepted them of any size. */
async function enqueue(directory: string, submissions: readonly TextSubmission[]): Promise<void> {
  const { log } = await FileLog.open(join(directory, "queue"), () => ({ stored: 0, checkpointed: 0 }));
  for (const { payload, ...entry } of submissions) await log.append({ ...entry, faults: [] }, Buffer.from(payload));
  await log.close();
}

/** The nodes that a service has when it has dealt with everything that came before; undefined if it ends before that. */
async function nodesOf({ ready, ended }: ServiceProcess): Promise<unknown> {
  const stored = ready.then(async (url) => {
    const connection = connect(url);
    await connection.post(a.facts("later"), 60);
    const rows = await connection.rows("nodes", ["extract", "certname"]);
    connection.close();
    return new Set(rows.map(({ certname }) => certname));
  });
  const nodes = await Promise.race([stored.catch(() => undefined), ended.then(() => undefined)]);
  if (nodes === undefined) await ended;
  return nodes;
}

// Only Linux counts what a process has for data.
it.runIf(process.platform === "linux")(
  "a command that ends the process becomes a dead letter, and those around it are stored",
  async () => {
    await using folder = await temporaryFolder();
    const many = Array.from({ length: 250_000 }, (_, index) => index % 10);
    await enqueue(folder.path, [a.facts("before"), a.facts("bomb", { values: { many } }), a.facts("behind")]);
    let nodes: unknown;
    let ends = -1;
    while (nodes === undefined && ends < 5) {
      const service = startProcess(folder.path, NOW, { data: DATA, words: ["--max-factset-values", "1000000"] });
      nodes = await nodesOf(service);
      ends++;
      await service.stop();
    }
    expect(nodes).toEqual(new Set(["before", "behind", "later"]));
    expect(ends).toBe(3);
    const letters = await new DeadLetters(join(folder.path, "queue")).list();
    expect(letters.map(({ certname, reason }) => [certname, reason])).toEqual([
      ["bomb", "the process ended 3 times while this command was being stored"],
    ]);
  },
  180_000,
);

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tuneProcess } from "#app/process.ts";
import { startService } from "#app/service.ts";
import { openInstance } from "#storage/engine/instance.ts";
import { Reader } from "#storage/engine/reader.ts";
import { streamRows, type Statement } from "#storage/engine/statements.ts";
import { databaseFile } from "#storage/store-database.ts";
import { Store } from "#storage/store.ts";
import { fixedClock, parseTimestamp } from "#storage/time.ts";
import { join } from "node:path";
import { getOk, WireConnection } from "../wire.ts";
import { runJob } from "./job.ts";

/** What is answered. */
export interface BareInput {
  /** a data directory that no other process uses */
  readonly directory: string;
  /** what the clock shows, as ISO text */
  readonly now: string;
  /** paths with parameters */
  readonly targets: readonly string[];
}

/** Where it is answered. */
export interface BareOutput {
  /** without a slash at the end */
  readonly url: string;
}

/** Often enough that the store answers from memory what it can. */
const RUNS = 3;

/*
 * What the engine needs for the SQL that Census makes, and Node's HTTP server for sending what comes of it: nothing is read
 * of the request, nothing checked, counted or noted.
 */
tuneProcess();
runJob(async ({ directory, now, targets }: BareInput): Promise<BareOutput> => {
  const statements = await statementsOf(directory, now, targets);
  const [instance] = await openInstance({ path: join(directory, databaseFile) });
  // One for what an answer's page is counted with.
  const readers = [await Reader.open(instance), await Reader.open(instance)];
  const server = createServer((request, response) => {
    const prepared = statements.get(request.url ?? "") ?? [];
    // An error here is a defect; it ends the process, and with it the measurement.
    void Promise.all(
      prepared.map(async (statement, index) => {
        const texts: string[] = [];
        for await (const rows of streamRows(readers[index] as Reader, statement, {})) texts.push(...rows.texts());
        return texts;
      }),
    ).then(([rows = []]) => response.setHeader("Content-Type", "application/json").end(`[${rows.join(",")}]`));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
});

/** The statements of each target, as Census makes them after some queries. */
async function statementsOf(
  directory: string,
  now: string,
  targets: readonly string[],
): Promise<Map<string, Statement[]>> {
  const store = await Store.open({ directory, clock: fixedClock(parseTimestamp(now) ?? 0n) });
  const statements = new Map<string, Statement[]>();
  let last: Statement[] = [];
  const run = store.queries.run.bind(store.queries);
  store.queries.run = (plan, options) => {
    last = options?.withTotal === true ? [plan.rows, plan.total()] : [plan.rows];
    return run(plan, options);
  };
  const service = await startService({ store });
  const connection = await WireConnection.open(service.url);
  for (let time = 0; time < RUNS; time++) {
    for (const target of targets) {
      await getOk(connection, target);
      statements.set(target, last);
    }
  }
  connection.close();
  await service.close();
  await store.close();
  return statements;
}

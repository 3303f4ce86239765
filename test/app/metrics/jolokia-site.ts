import { HttpMetrics } from "#storage/metrics/families/http.ts";
import { populationMetrics } from "#storage/metrics/families/population.ts";
import { poolMetrics } from "#storage/metrics/families/pools.ts";
import { DeadLetterMetrics } from "#storage/metrics/families/dead-letters.ts";
import { Database } from "#storage/engine/database.ts";
import { migrate } from "#storage/schema/migrate.ts";
import { emptyStore } from "#test/fixture-store.ts";
import { serveMetrics, type ServedMetrics } from "./fixture-metrics.ts";

/** The type of Jolokia's error for an invalid request. */
export const javaArgument = "java.lang.IllegalArgumentException";

/** A service with metrics of each family. */
export async function openJolokia(): Promise<ServedMetrics & AsyncDisposable> {
  const service = await serveMetrics(await emptyStore());
  const database = await Database.open();
  await migrate(database);
  const { registry } = service.context;
  populationMetrics(registry, database);
  poolMetrics(registry, database);
  new HttpMetrics(registry).answered(["/pdb/cmd/v1"], 200, 4);
  new DeadLetterMetrics(registry).added({ command: "replace facts", size: 7 });
  registry.get("mq", "replace facts.5.seen", "meter").mark(3);
  registry.get("mq", "global.size", "histogram").update(10);
  registry.get("mq", "global.depth", "counter").add(2);
  registry.gauge("admin", "cleaning", () => "");
  const close = async (): Promise<void> => {
    await service.close();
    await database.close();
  };
  return { ...service, [Symbol.asyncDispose]: close };
}

/** The parsed response to a POST. */
export async function posted(
  service: ServedMetrics,
  body: unknown,
  path = "/metrics/v2",
  headers: Record<string, string> = {},
): Promise<unknown> {
  return JSON.parse((await service.send("POST", path, JSON.stringify(body), headers)).text);
}

import { duckdb } from "#storage/engine/duckdb.ts";

/**
 * Loads what the service and a question load until their first answer. It is run once, when the executable is made, so
 * that what V8 compiles on the way goes along. It loads and does no more: with what the engine's calls leave to chance,
 * bytes that mean nothing come out otherwise each time.
 */
export async function rehearse(): Promise<void> {
  await import("#cli/commands/serve.ts");
  await import("#cli/commands/fixture.ts");
  await import("#cli/commands/query.ts");
  await import("#app/settings/load.ts");
  await import("#cli/serving.ts");
  await import("#cli/fixture/open.ts");
  await import("#cli/listening.ts");
  const { loadListener } = await import("#app/listeners/plain.ts");
  await loadListener();
  await duckdb();
}

import { expect, it } from "vitest";
import { nodesForm } from "#cli/short-forms/nodes.ts";
import { answerOf } from "#cli/short-forms/run.ts";
import type { OpenSource } from "#cli/sources/open-source.ts";
import { openSource } from "#cli/sources/source.ts";
import { SILENT_AFTER_MS, stateKeys } from "#storage/states/node-state.ts";
import { rowObject } from "#storage/output/cells.ts";
import { SAMPLE, startServer } from "../census.ts";

async function certnames(state: string | undefined, source: OpenSource): Promise<unknown[]> {
  const found: unknown[] = [];
  const { rows } = await answerOf(nodesForm({ state }), await source.now(), source);
  for await (const batch of rows) found.push(...batch.map((text) => rowObject(text)["certname"]));
  return found;
}

it("each active node is in exactly one state", async () => {
  const source = await openSource({ kind: "archive", path: SAMPLE, clock: undefined, cached: false });
  try {
    expect(await source.silentAfter()).toBe(SILENT_AFTER_MS);
    const found: unknown[] = [];
    for (const state of stateKeys) found.push(...(await certnames(state, source)));
    expect(found.toSorted((one, other) => (String(one) < String(other) ? -1 : 1))).toStrictEqual(
      await certnames(undefined, source),
    );
  } finally {
    await source.close();
  }
});

it("when a node is silent is the setting of the server that is read", async () => {
  const server = await startServer(["serve", "--memory", "--port", "0", "--silent-after", "30d"]);
  try {
    const source = await openSource({ kind: "url", contact: { url: server.url } });
    expect(await source.silentAfter()).toBe(30 * 86_400_000);
    const patient = await nodesForm({ state: "silent" }).complete?.(source);
    expect(patient?.query(10n ** 6n * 86_400n * 30n)).toContain('report_timestamp < "1970-01-01T00:00:00.000Z"');
  } finally {
    await server.stop();
  }
});

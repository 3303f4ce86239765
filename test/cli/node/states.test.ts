import { expect, it } from "vitest";
import { nodesForm } from "#cli/short-forms/nodes.ts";
import { answerOf } from "#cli/short-forms/run.ts";
import type { OpenSource } from "#cli/sources/open-source.ts";
import { openSource } from "#cli/sources/source.ts";
import { SILENT_AFTER_MS, stateKeys } from "#storage/states/node-state.ts";
import { rowObject } from "#storage/output/cells.ts";
import { a } from "#test/fixture-store.ts";
import { census, SAMPLE, startServer } from "../census.ts";

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

it("by its own interval a node that reports every day is not silent after a night", async () => {
  const server = await startServer(["serve", "--memory", "--port", "0", "--silent-after", "interval"]);
  try {
    const hoursAgo = { "every-hour": [8, 7, 6, 5], "every-day": [77, 53, 29, 5], gone: [200, 176, 152, 128] };
    for (const [certname, hours] of Object.entries(hoursAgo)) {
      for (const ago of hours) {
        const time = new Date(Date.now() - ago * 3_600_000).toISOString();
        const report = a.report(certname, { producer_timestamp: time, start_time: time, end_time: time });
        const named = `certname=${certname}&command=store_report&version=8&producer-timestamp=${time}`;
        await fetch(`${server.url}/pdb/cmd/v1?${named}&secondsToWaitForCompletion=60`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: report.payload,
        });
      }
    }
    const silent = await census(["nodes", "--state", "silent", "--url", server.url, "--output", "names"]);
    expect(silent.stdout.trim().split("\n").sort()).toEqual(["every-hour", "gone"]);
    const node = await census(["node", "every-day", "--url", server.url]);
    expect(node.stdout).not.toContain("silent");
    const metrics = await (await fetch(`${server.url}/metrics`)).text();
    expect(metrics).toContain('census_nodes{state="silent"} 2');
    const counts = await fetch(`${server.url}/explorer/api/v1/facets?query=nodes{}&facet=state`);
    expect(JSON.stringify(await counts.json())).toContain('{"value":"silent","count":2}');
  } finally {
    await server.stop();
  }
});

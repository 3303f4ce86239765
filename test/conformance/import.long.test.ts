import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { startService } from "#app/service.ts";
import { importArchive } from "#cli/import-archive.ts";
import type { Operation } from "#storage/lifecycle/operation.ts";
import { Store } from "#storage/store.ts";
import { fixedClock, parseTimestamp } from "#storage/time.ts";
import { isLeftOut } from "#test/left-out.ts";
import { compareAnswers } from "./compare.ts";
import { readCorpus } from "./corpus.ts";
import { type World } from "./world.ts";
import { oracleFolder } from "./options.ts";
import { loadPopulation } from "./population.ts";
import type { Answer } from "./recording.ts";
import { type Client, openClient } from "./request.ts";

const oracle = oracleFolder(process.env);
const isWithoutOracle = isLeftOut(
  "PuppetDB's export",
  existsSync(oracle) ? undefined : `no ${oracle}; CENSUS_ORACLE names another folder`,
);

/** What PuppetDB's export does not contain, or not as it was sent, by the request that shows it. */
const lost: readonly (readonly [reason: string, concerns: (target: string) => boolean])[] = [
  ["packages are not exported", (target) => /package/.test(target)],
  ["1e10 is exported as an integer, so its path has another type", (target) => /fact.paths/.test(target)],
  ["which rows follow the first sixty is undefined without an order", (target) => /"offset",60/.test(target)],
];

/** A factset's hash is over its packages and over numbers as they were sent, neither of which is exported. */
function withoutHash({ text, ...answer }: Answer): Answer {
  return { ...answer, text: text.replaceAll(/"hash"\s*:\s*"[0-9a-f]{40}"/g, '"hash":""') };
}

/** Serves a store with what `fill` puts there, without garbage. */
async function site(now: string, fill: (store: Store, client: Client) => Promise<void>) {
  const store = await Store.open({ clock: fixedClock(parseTimestamp(now) ?? 0n) });
  const service = await startService({ store });
  const client = openClient(service.url);
  await fill(store, client);
  const operations = new Set<Operation>(["gc_catalogs", "gc_fact_paths", "gc_packages"]);
  await store.lifecycle.clean({ operations, purgeLimit: null });
  const close = async (): Promise<void> => {
    client.close();
    await service.close();
    await store.close();
  };
  return { client, [Symbol.asyncDispose]: close };
}

describe.skipIf(isWithoutOracle)("a submitted population, and an import of PuppetDB's export of it", () => {
  it("return the same responses, except for what such an export loses", async () => {
    const [{ now, population, recordings }] = readCorpus(oracle, "puppetdb").worlds as [World];
    // An export does not contain deactivations (reference/archive.md §2).
    const commands = population.filter(({ command }) => command.replaceAll("_", " ") !== "deactivate node");
    await using submitted = await site(now, async (_store, client) => {
      expect(await loadPopulation(client, commands)).toEqual([]);
    });
    await using imported = await site(now, async (store) => {
      await importArchive(store, join(oracle, "golden", "archive.tgz"));
    });
    const different: string[] = [];
    let compared = 0;
    for (const { id, request, rules } of recordings) {
      const target = decodeURIComponent(request.path);
      if (request.method !== "GET" || !target.startsWith("/pdb/query/")) continue;
      if (lost.some(([, concerns]) => concerns(target))) continue;
      compared++;
      const [one, other] = [await submitted.client.send(request), await imported.client.send(request)];
      const isFactset = /factsets/.test(target);
      const [want, got] = isFactset ? [withoutHash(one), withoutHash(other)] : [one, other];
      if (compareAnswers(rules, want, got).length > 0) different.push(id);
    }
    expect(different).toEqual([]);
    expect(compared).toBeGreaterThan(600);
  });
});

import { describe, expect, it } from "vitest";
import type { StoreOptions } from "#storage/store-options.ts";
import { a, emptyStore, submitted } from "#test/fixture-store.ts";

const withPackages = a.facts("web", { package_inventory: [["openssl", "3.0.13-1", "apt"]] });
const corrective = a.report("web", { corrective_change: true });
const intentional = a.report("web", { corrective_change: false });

describe("a store reports which optional data it contains", () => {
  it.each([
    ["nothing in an empty one", {}, [], { packages: false, correctiveChanges: false }],
    ["packages of a node", {}, [a.facts("db"), withPackages], { packages: true, correctiveChanges: false }],
    ["no corrective changes unless they are stored", {}, [corrective], { packages: false, correctiveChanges: false }],
    [
      "corrective changes that were stored, even if there were none",
      { storesCorrectiveChange: true, countsCorrectiveChange: false },
      [intentional],
      { packages: false, correctiveChanges: true },
    ],
    [
      "corrective changes that will be stored",
      { storesCorrectiveChange: true },
      [],
      { packages: false, correctiveChanges: true },
    ],
  ] as const)("%s", async (_what, options: StoreOptions, submissions, found) => {
    const store = await emptyStore(options);
    try {
      await submitted(store, ...submissions);
      expect(await store.queries.optionalData()).toStrictEqual(found);
    } finally {
      await store.close();
    }
  });

  it("also after all was deleted", async () => {
    const store = await emptyStore({ storesCorrectiveChange: true, countsCorrectiveChange: false });
    try {
      await store.save();
      await submitted(store, withPackages, corrective);
      const both = { packages: true, correctiveChanges: true };
      for (let turn = 0; turn < 2; turn++) expect(await store.queries.optionalData()).toStrictEqual(both);
      await store.reset();
      // It will be stored again.
      expect(await store.queries.optionalData()).toStrictEqual({ packages: false, correctiveChanges: true });
    } finally {
      await store.close();
    }
  });
});

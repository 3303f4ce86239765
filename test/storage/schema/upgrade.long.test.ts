import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { zstdDecompressSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { importArchive } from "#cli/import-archive.ts";
import { digestNumbers } from "#storage/ingest/write/digest-ids.ts";
import { entities } from "#storage/query/entities/index.ts";
import { schemaVersion } from "#storage/schema/migrate.ts";
import { Store } from "#storage/store.ts";
import { databaseFile, openDatabase } from "#storage/store-database.ts";
import { fixedClock } from "#storage/time.ts";
import { temporaryFolder } from "#test/fixture-folder.ts";
import { a, rowsOf, time } from "#test/fixture-store.ts";
import { inOrder } from "#test/storage/in-order.ts";

/**
 * Stores that programs of the past have written, by their schema, each by importing `population.tgz` at this time:
 * `census import population.tgz --data DIR --now 2026-11-20T12:00:00Z`, then `zstd -19 DIR/census.duckdb`.
 */
const stores = join(import.meta.dirname, "stores");
const options = { clock: fixedClock(time("2026-11-20T12:00:00Z")), retention: { historyTtl: 0n } };

const versions = readdirSync(stores)
  .flatMap((name) => /^schema-(\d+)\.duckdb\.zst$/.exec(name)?.[1] ?? [])
  .map(Number)
  .sort((a, b) => a - b);

/** The rows of every entity of a store; rows, items and members are sorted, because their order has no meaning. */
async function everything(store: Store): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {};
  for (const name of Object.keys(entities)) {
    const rows = await rowsOf(store, name);
    found[name] = rows.map(inOrder).sort();
  }
  return found;
}

/** Checks columns that no query reads. */
async function expectDigestNumbers(directory: string): Promise<void> {
  const database = await openDatabase({ directory });
  for (const table of ["resources", "edges"]) {
    const rows = await database.rows<{ digest: string; start: number; end: number }>(
      `SELECT digest, digest_start::DOUBLE AS "start", digest_end::DOUBLE AS "end" FROM ${table} WHERE id > 0`,
    );
    expect(rows.map(({ start, end }) => [start, end])).toEqual(rows.map(({ digest }) => digestNumbers(digest)));
    expect(rows.length).toBeGreaterThan(10);
  }
  await database.close();
}

describe("a store of an older version", () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let expected: Record<string, string[]>;
  beforeAll(async () => {
    folder = await temporaryFolder();
    const directory = join(folder.path, "new");
    const fresh = await Store.open({ ...options, directory });
    await importArchive(fresh, join(stores, "population.tgz"));
    expected = await everything(fresh);
    await fresh.close();
  });
  afterAll(() => folder[Symbol.asyncDispose]());

  it("is tested for each version but the first, which was never published", () => {
    const older = Array.from({ length: schemaVersion - 2 }, (_, index) => index + 2);
    expect(versions).toEqual(expect.arrayContaining(older));
  });

  it.each(versions)(
    "with schema %i is upgraded: every value is readable, and new commands are stored",
    async (version) => {
      const directory = join(folder.path, `schema-${version}`);
      mkdirSync(directory);
      const packed = readFileSync(join(stores, `schema-${version}.duckdb.zst`));
      writeFileSync(join(directory, databaseFile), zstdDecompressSync(packed));

      expect(expected["resources"]?.length).toBeGreaterThan(10);
      const old = await Store.open({ ...options, directory });
      expect(await everything(old)).toEqual(expected);
      await old.submit(a.facts("newcomer.example.com", { values: { kernel: "Linux" } }));
      await old.close();
      const again = await Store.open({ ...options, directory, retention: {} });
      expect(await rowsOf(again, "nodes", ["=", "certname", "newcomer.example.com"])).toHaveLength(1);
      await again.submit(a.facts("newcomer.example.com", { values: { kernel: "GNU" } }));
      expect(await rowsOf(again, "fact_changes")).toMatchObject([{ what: "kernel", before: "Linux", after: "GNU" }]);
      await again.close();

      for (const place of [directory, join(folder.path, "new")]) await expectDigestNumbers(place);
    },
  );
});

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openArchive } from "#cli/sources/archive.ts";
import { rowObject } from "#storage/output/cells.ts";
import { type ValuePlace, valueSource } from "#storage/query/complete/values.ts";
import type { Store } from "#storage/store.ts";
import { SAMPLE } from "#test/cli/census.ts";

let store: Store;
beforeAll(async () => {
  ({ store } = await openArchive(SAMPLE, { cached: false }));
});
afterAll(() => store.close());

async function found(
  place: Partial<ValuePlace> & Pick<ValuePlace, "entity" | "field">,
): Promise<(string | undefined)[]> {
  const source = valueSource({ typed: "", narrowed: undefined, ...place }, 1000);
  if (source?.kind !== "query") return [...(source?.values ?? ["(nothing)"])];
  const { rows } = await store.queries.run(store.queries.plan({ of: "root", query: source.query }));
  const values: (string | undefined)[] = [];
  for await (const batch of rows)
    values.push(...batch.texts().map((text) => source.read(rowObject(text)[source.column])));
  return values;
}

describe("the values that complete a field", () => {
  it.each<[Parameters<typeof found>[0], string[]]>([
    [{ entity: "nodes", field: "certname", typed: "crane-0011" }, ["crane-0011.tollhouse.saltmarsh.example"]],
    [{ entity: "facts", field: "certname", typed: "crane-0011" }, ["crane-0011.tollhouse.saltmarsh.example"]],
    [{ entity: "facts", field: "name", typed: "kerne" }, ["kernel", "kernelmajversion", "kernelrelease"]],
    [{ entity: "facts", field: "value", narrowed: { field: "name", value: "kernel" } }, ["Linux", "windows"]],
    [{ entity: "nodes", field: "catalog_environment", typed: "prod" }, ["production"]],
    [{ entity: "resources", field: "type", typed: "S" }, ["Service", "Sshkey", "Stage"]],
    [
      { entity: "resources", field: "title", typed: "Role::G", narrowed: { field: "type", value: "Class" } },
      ["Role::Gateway"],
    ],
    [{ entity: "reports", field: "status" }, ["changed", "failed", "unchanged"]],
    [{ entity: "nodes", field: "node_state" }, ["active", "inactive", "any"]],
    [{ entity: "facts", field: "value" }, ["(nothing)"]],
    [{ entity: "resources", field: "title" }, ["(nothing)"]],
    [{ entity: "reports", field: "end_time" }, ["(nothing)"]],
  ])("are queried from the store: %j", async (place, values) => {
    expect(await found(place)).toStrictEqual(values);
  });

  it("contain parts of facts, joined with dots", async () => {
    const paths = await found({ entity: "inventory", field: "facts", typed: "facts.os." });
    expect(paths).toEqual(expect.arrayContaining(["facts.os.name", "facts.os.family"]));
    const trusted = await found({ entity: "inventory", field: "trusted", typed: "trusted.cert" });
    expect(trusted).toContain("trusted.certname");
  });
});

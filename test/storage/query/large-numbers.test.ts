import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseJson } from "#storage/json.ts";
import type { Store } from "#storage/store.ts";
import { a, emptyStore, refusalOf } from "#test/fixture-store.ts";

/** The fact of that name has these values, one per node. */
const values: Readonly<Record<string, readonly string[]>> = {
  huge: ["1e400", "1", "2.5"],
  opposite: ["1e400", "-1e400", "5"],
  negative: ["-1e21", "-0.5"],
  small: ["1e-400", "-0", "-0.0"],
  beyond: ["1e200000", "1"],
};

let store: Store;
beforeAll(async () => {
  store = await emptyStore();
  for (const [name, numbers] of Object.entries(values)) {
    for (const [index, number] of numbers.entries()) {
      const submission = a.facts(`${name}${index}`, { values: { [name]: "here" } });
      await store.submit({ ...submission, payload: submission.payload.replace('"here"', number) });
    }
  }
});
afterAll(() => store.close());

async function textOf(name: string, fn: string): Promise<string> {
  const query = ["extract", [["function", fn, "value"]], ["=", "name", name]];
  const answer = await store.queries.run(store.queries.plan({ of: { entity: "facts", activeOnly: false }, query }));
  const texts: string[] = [];
  for await (const rows of answer.rows) texts.push(...rows.texts());
  return texts.join();
}

const zeros = (count: number): string => "0".repeat(count);

describe("numbers larger than the engine's", () => {
  it.each([
    ["huge", "sum", `1${zeros(399)}3.5`],
    ["opposite", "sum", "5"],
    ["opposite", "avg", "1.6666666666666667"],
    ["negative", "sum", "-1000000000000000000000.5"],
    ["small", "sum", "0"],
    ["huge", "max", "1e400"],
    ["opposite", "min", "-1e400"],
    ["beyond", "count", "2"],
  ])("%s: %s", async (name, fn, expected) => {
    expect(await textOf(name, fn)).toBe(`{"${fn}":${expected}}`);
  });

  it.each(["sum", "avg", "min", "max"])("are valid JSON after %s", async (fn) => {
    for (const name of ["huge", "opposite", "negative", "small"]) {
      expect(parseJson(await textOf(name, fn))).toHaveProperty(fn);
    }
  });

  it("are rejected where PostgreSQL does not support them", async () => {
    const query = ["extract", [["function", "sum", "value"]], ["=", "name", "beyond"]];
    expect(await refusalOf(store, { of: { entity: "facts", activeOnly: false }, query })).toMatch(
      /overflows numeric format/,
    );
  });
});

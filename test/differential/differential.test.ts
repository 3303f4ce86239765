import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CensusError } from "#storage/errors.ts";
import type { Json } from "#storage/json.ts";
import type { Store } from "#storage/store.ts";
import { populatedStore, queryRows } from "#test/fixture-store.ts";
import type { Answer } from "../conformance/recording.ts";
import { judge } from "./judge.ts";
import { readOptions } from "./options.ts";
import { compared, fieldQueries, type KnownValues, randomQueries } from "./queries.ts";

const values: KnownValues = (_entity, field) => (field === "certname" ? ["alpha", "beta"] : ["x"]);

const query = { ast: null, mode: "set" } as const;

function rows(body: Json, total?: string): Answer {
  const headers = { "content-type": "application/json", ...(total === undefined ? {} : { "x-records": total }) };
  return { status: 200, headers, text: JSON.stringify(body) };
}

function message(status: number, text: string): Answer {
  return { status, headers: { "content-type": "text/plain" }, text };
}

describe("queries", () => {
  let store: Store;
  beforeAll(async () => {
    store = await populatedStore();
  });
  afterAll(() => store.close());

  it("are the same for the same seed, and others for another", () => {
    const first = randomQueries(values, 1, 50);
    expect(randomQueries(values, 1, 50)).toEqual(first);
    expect(randomQueries(values, 2, 50)).not.toEqual(first);
  });

  it("are of every entity and field", () => {
    const texts = new Set(fieldQueries(values).map(({ ast }) => JSON.stringify(ast)));
    for (const { name, fields } of compared) {
      for (const [field, { type }] of Object.entries(fields)) {
        const named = type === "document" ? `${field}.kernel` : field;
        expect(texts).toContain(JSON.stringify(["from", name, ["null?", named, true]]));
      }
    }
  });

  it("are answered with rows or a message", async () => {
    const outcomes: unknown[] = [];
    for (const { ast } of randomQueries(values, 3, 300)) {
      outcomes.push(await queryRows(store, { of: "root", query: ast }).catch((error: unknown) => error));
    }
    const refused = outcomes.filter((outcome) => !Array.isArray(outcome));
    expect(refused).toEqual(refused.map(() => expect.objectContaining({ code: "bad-input" }) as unknown));
    expect(outcomes.length - refused.length).toBeGreaterThan(100);
  });
});

describe("the judge", () => {
  it.each<[what: string, peer: Answer, own: Answer, kind: string]>([
    ["the same rows in another order", rows([1, 2]), rows([2, 1]), "same"],
    ["a row less", rows([1, 2]), rows([1]), "different"],
    ["another total", rows([1], "1"), rows([1], "2"), "different"],
    ["other times of receipt", rows([{ timestamp: "a" }]), rows([{ timestamp: "b" }]), "same"],
    ["another message", message(400, "a"), message(400, "b"), "different"],
    ["a message in place of rows", rows([]), message(400, "b"), "different"],
    ["rows where PuppetDB failed", message(500, "x"), rows([]), "no model"],
    ["a failure where PuppetDB failed", message(500, "x"), message(503, "y"), "different"],
    ["a class of its runtime", message(400, "No matching clause: x"), message(400, "b"), "no model"],
  ])("%s", (_what, peer, own, kind) => {
    expect(judge(query, peer, own).kind).toBe(kind);
  });

  it("compares the number of rows where which ones is not defined", () => {
    expect(judge({ ast: null, mode: "count" }, rows([1]), rows([2])).kind).toBe("same");
    expect(judge({ ast: null, mode: "count" }, rows([1]), rows([2, 3])).kind).toBe("different");
  });

  it("groups differences by their message without names", () => {
    const verdicts = ["a", "b"].map((name) => judge(query, message(400, `'${name}' is unknown`), message(400, "c")));
    const group = "400, here 400: … is unknown";
    expect(verdicts).toMatchObject([{ group }, { group }]);
  });
});

describe("options", () => {
  it("have the recorded PuppetDB as their default", () => {
    expect(readOptions([], {}).peer).toBe("http://127.0.0.1:18080");
    expect(readOptions(["--seed", "7", "--fields"], { ORACLE_URL: "http://127.0.0.1:9" })).toMatchObject({
      peer: "http://127.0.0.1:9",
      seed: 7,
      fields: true,
    });
  });

  it.each([["--seed", "x"], ["--nope"]])("%s %s: refused", (...args) => {
    expect(() => readOptions(args, {})).toThrow(CensusError);
  });
});

import { isDeepStrictEqual } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Random } from "#fixtures/random.ts";
import type { Json } from "#storage/json.ts";
import type { QuerySpec } from "#storage/query/query.ts";
import type { Store } from "#storage/store.ts";
import { populatedStore, queryRows } from "#test/fixture-store.ts";
import type { Answer } from "../conformance/recording.ts";
import { judge } from "./judge.ts";
import { pqlText } from "./pql-text.ts";
import { type KnownValues, randomQueries } from "./queries.ts";

const values: KnownValues = (_entity, field) => (field === "certname" ? ["alpha", "beta"] : ["x"]);

const request = { mode: "set" } as const;

function rows(body: Json, total?: string): Answer {
  const headers = { "content-type": "application/json", ...(total === undefined ? {} : { "x-records": total }) };
  return { status: 200, headers, text: JSON.stringify(body) };
}

function message(status: number, text: string): Answer {
  return { status, headers: { "content-type": "text/plain" }, text };
}

/** The rows as sorted texts, or the error. Few of the queries order their rows, so the engine may return them in any order. */
async function answerOf(store: Store, query: QuerySpec): Promise<unknown> {
  return queryRows(store, query).then((found) => found.map((row) => JSON.stringify(row)).toSorted(), String);
}

describe("queries", () => {
  let store: Store;
  beforeAll(async () => {
    store = await populatedStore();
  });
  afterAll(() => store.close());

  it("are answered with rows or a message", async () => {
    const outcomes: unknown[] = [];
    for (const ast of randomQueries(values, 3, 300)) {
      outcomes.push(await queryRows(store, { of: "root", query: ast }).catch((error: unknown) => error));
    }
    const refused = outcomes.filter((outcome) => !Array.isArray(outcome));
    expect(refused).toEqual(refused.map(() => expect.objectContaining({ code: "bad-input" }) as unknown));
    expect(outcomes.length - refused.length).toBeGreaterThan(100);
  });

  it("in PQL are answered as in AST", async () => {
    const random = new Random(1);
    const pairs = randomQueries(values, 5, 300).flatMap((ast) => {
      const pql = pqlText(ast, random);
      return pql === undefined ? [] : [{ ast, pql }];
    });
    expect(pairs.length).toBeGreaterThan(100);
    const different: unknown[] = [];
    for (const { ast, pql } of pairs) {
      const answer = await answerOf(store, { of: "root", pql });
      const expected = await answerOf(store, { of: "root", query: ast });
      // Which of several equal rows is on a page is not said.
      const isPage = /\b(?:limit|offset) \d/.test(pql) && Array.isArray(answer) && Array.isArray(expected);
      const isSame = isPage ? answer.length === expected.length : isDeepStrictEqual(answer, expected);
      if (!isSame) different.push({ pql, answer, expected });
    }
    expect(different).toEqual([]);
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
    expect(judge(request, peer, own).kind).toBe(kind);
  });

  it("compares the number of rows where which ones is not defined", () => {
    expect(judge({ mode: "count" }, rows([1]), rows([2])).kind).toBe("same");
    expect(judge({ mode: "count" }, rows([1]), rows([2, 3])).kind).toBe("different");
  });

  it("groups differences by their message without names", () => {
    const verdicts = ["a", "b"].map((name) => judge(request, message(400, `'${name}' is unknown`), message(400, "c")));
    const group = "400, here 400: … is unknown";
    expect(verdicts).toMatchObject([{ group }, { group }]);
  });
});

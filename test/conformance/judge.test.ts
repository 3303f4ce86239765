import { describe, expect, it } from "vitest";
import { judge } from "./judge.ts";
import { PLAIN_RULES, type Answer, type Recording } from "./recording.ts";

const TEXT = { "content-type": "text/plain;charset=utf-8" };
const JSON_TYPE = { "content-type": "application/json;charset=utf-8" };

function recording(...expected: [Answer, ...Answer[]]): Recording {
  const [newest, ...older] = expected.map((answer, index) => ({ ...answer, generation: index === 0 ? "new" : "old" }));
  if (newest === undefined) throw new Error("a recording has an answer");
  const request = { method: "GET", path: "/pdb/query/v4/nodes", headers: {} };
  return { id: "nodes-001", category: "nodes", request, rules: PLAIN_RULES, expected: [newest, ...older] };
}

const GONE: Answer = { status: 404, headers: TEXT, text: "Not Found" };
const MOVED: Answer = { status: 302, headers: {}, text: "" };
const INTERNAL: Answer = { status: 500, headers: TEXT, text: "ERROR: operator does not exist: text = integer" };
const REFUSED: Answer = { status: 400, headers: TEXT, text: "certname is a text" };
const ROWS: Answer = { status: 200, headers: JSON_TYPE, text: "[]" };
const MEANINGLESS: Answer = {
  status: 400,
  headers: TEXT,
  text: "Don't know how to create ISeq from: java.lang.Integer",
};

describe("judging an answer", () => {
  it.each([
    ["the newest generation's", recording(GONE, MOVED), GONE, { kind: "right", generation: "new" }],
    ["an older generation's", recording(GONE, MOVED), MOVED, { kind: "right", generation: "old" }],
    ["no generation's", recording(GONE, MOVED), ROWS, { kind: "wrong" }],
    ["PuppetDB's own internal error", recording(INTERNAL), INTERNAL, { kind: "right" }],
    ["a refusal instead of an internal error", recording(INTERNAL), REFUSED, { kind: "not judged" }],
    ["rows instead of an internal error", recording(INTERNAL), ROWS, { kind: "not judged" }],
    ["a refusal that does not say why", recording(INTERNAL), { ...REFUSED, text: "" }, { kind: "wrong" }],
    ["an internal error of our own", recording(INTERNAL), { ...INTERNAL, text: "oops" }, { kind: "wrong" }],
    ["a page instead of an internal error", recording(INTERNAL), { ...ROWS, text: "<html>" }, { kind: "wrong" }],
    ["rows where one generation has an internal error", recording(REFUSED, INTERNAL), ROWS, { kind: "wrong" }],
    ["our own words for a class of PuppetDB's runtime", recording(MEANINGLESS), REFUSED, { kind: "not judged" }],
    ["another status for it", recording(MEANINGLESS), GONE, { kind: "wrong" }],
  ])("%s", (_what, recorded, actual, verdict) => {
    expect(judge(recorded, actual)).toMatchObject(verdict);
  });

  it("shows the differences from the closest generation", () => {
    const other = { ...REFUSED, headers: JSON_TYPE };
    expect(judge(recording(other, REFUSED), { ...REFUSED, text: "x" })).toMatchObject({ generation: "old" });
  });
});

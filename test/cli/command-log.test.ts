import { describe, expect, it } from "vitest";
import { logCommands } from "#cli/command-log.ts";
import type { Submission } from "#storage/ingest/submission.ts";
import { a, emptyStore, type TextSubmission } from "#test/fixture-store.ts";

const SECRET = "hunter2";

/** What a server logs of commands that come one after another. */
async function logged(...submissions: readonly Submission[]): Promise<string> {
  const lines: string[] = [];
  const line = (text: string): void => void lines.push(text);
  const onCommand = logCommands({
    debug: line,
    notice: line,
    warn: line,
    fault: (what, error) => line(`${what}: ${error instanceof Error ? error.message : String(error)}`),
  });
  const store = await emptyStore({ onCommand });
  for (const submission of submissions) await store.submit(submission).catch(() => undefined);
  await store.close();
  return lines.join("\n");
}

const broken = (payload: string): TextSubmission => ({ ...a.facts("web-01"), payload });
const catalogWith = (tag: string): TextSubmission =>
  a.catalog("web-01", {
    resources: [{ type: "Notify", title: "a", exported: false, tags: [tag], parameters: {} }],
    edges: [],
  });

describe("the log of commands that cannot be stored", () => {
  it.each<[what: string, submission: TextSubmission, place: string]>([
    ["JSON that is cut", broken(`{"certname":"web-01","values":{"password":"${SECRET}"`), "the payload is not JSON"],
    ["a word that is no JSON", broken(`{"values":{"password":${SECRET}}}`), "the payload is not JSON"],
    [
      "a time that is none",
      a.facts("web-01", { producer_timestamp: SECRET }),
      "producer_timestamp: expected a date-time",
    ],
    ["an id that is none", a.catalog("web-01", { transaction_uuid: SECRET }), "transaction_uuid: not a UUID"],
    ["a tag that is none", catalogWith(SECRET.toUpperCase()), "resources[0].tags[0]: not a tag"],
    ["a type of report that is none", a.report("web-01", { type: SECRET }), "type: expected one of agent, plan"],
    ["a value of another kind", a.facts("web-01", { environment: [SECRET] }), "environment: expected a string"],
  ])("names the place of %s, not the value", async (_what, submission, place) => {
    const text = await logged(submission);
    expect(text).toContain("of web-01 could not be stored");
    expect(text).toContain(place);
    expect(text.toLowerCase()).not.toContain(SECRET);
  });
});

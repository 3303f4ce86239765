/**
 * The SQL of queries, so that a change of it shows in the change's diff. Write a wanted change into the lists with
 * `npx vitest run test/storage/query/statements --update`; with the recordings in ../shared/oracle, if any recorded request has
 * another statement.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { otherStatements } from "./other-statements.ts";
import { isLeftOut } from "#test/left-out.ts";
import { hasRecordings, recordedStatements, statementsNamed } from "./recorded-requests.ts";
import { Fragments, listText, namesIn } from "./statement-list.ts";

const file = (name: string): string => join(import.meta.dirname, name);
const fragments = Fragments.ofEntities();

function listed(name: string): string[] {
  return existsSync(file(name)) ? namesIn(readFileSync(file(name), "utf8")) : [];
}

const isWithoutRecordings = isLeftOut(
  "the digest of the statements of all recorded requests",
  hasRecordings ? undefined : "there are no recordings",
);

describe("the statements", () => {
  it("of the parts that lists name in «» are as listed", async () => {
    await expect(listText(fragments.list)).toMatchFileSnapshot(file("parts.txt"));
  });

  it("of recorded requests are as listed", async () => {
    // Where there are no recordings, the list names the requests.
    const statements = hasRecordings ? recordedStatements().listed : statementsNamed(listed("recorded.txt"));
    expect(statements.length).toBeGreaterThan(400);
    await expect(listText(statements, fragments)).toMatchFileSnapshot(file("recorded.txt"));
  });

  it("of recorded requests are made of their names in the list as well", async () => {
    await expect(listText(statementsNamed(listed("recorded.txt")), fragments)).toMatchFileSnapshot(
      file("recorded.txt"),
    );
  });

  it("of which there are no recordings are as listed", async () => {
    await expect(listText(await otherStatements(), fragments)).toMatchFileSnapshot(file("other.txt"));
  });

  it.skipIf(isWithoutRecordings)("of all recordings are those of the digest", async () => {
    await expect(`${recordedStatements().digest}\n`).toMatchFileSnapshot(file("recorded.sha256"));
  });
});

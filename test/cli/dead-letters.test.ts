import { mkdtemp, readdir } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { DeadLetters } from "#storage/queue/dead-letters.ts";
import { queued, RECEIVED } from "#test/storage/queue/entries.ts";
import { census, workFolder } from "./census.ts";

const work = workFolder();
const FACTS = "replace_facts/17-1704164645678_facts_5_foo.json";
const REPORT = "store_report/18-1704164645679_report_8_bar.json.gz";
const PAYLOAD = '{"values":"none","size":12345678901234567890.0}';
const fault = { at: RECEIVED, message: "values: expected an object, found a string" };

/** A data directory with two letters in it. */
async function withLetters(): Promise<{ data: string; office: DeadLetters }> {
  const data = await mkdtemp(join(work, "data-"));
  const office = new DeadLetters(join(data, "queue"));
  await office.discard(queued(17), Buffer.from(PAYLOAD), [fault]);
  const report = queued(18, {
    command: "store report",
    version: 8,
    certname: "bar",
    encoding: "gzip",
    received: RECEIVED + 1000n,
  });
  await office.discard(report, gzipSync("not \u001b[2J JSON"), [{ at: RECEIVED, message: "the payload is not JSON" }]);
  return { data, office };
}

const names = async (office: DeadLetters): Promise<string[]> => (await office.list()).map(({ name }) => name);

describe("census dead-letters", () => {
  it("lists dead letters, oldest first", async () => {
    const { data } = await withLetters();
    const { code, stdout, stderr } = await census(["dead-letters", "list", "--data", data]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(JSON.parse(stdout)).toMatchObject([
      {
        name: FACTS,
        command: "replace facts",
        version: 5,
        certname: "foo",
        received: "2024-01-02T03:04:05.678Z",
        size: PAYLOAD.length,
        reason: "values: expected an object, found a string",
      },
      { name: REPORT, command: "store report", version: 8, certname: "bar", reason: "the payload is not JSON" },
    ]);
  });

  it("prints an empty list if there are none", async () => {
    const { data, office } = await withLetters();
    for (const name of await names(office)) await office.delete(name);
    expect(await census(["dead-letters", "list", "--data", data])).toEqual({ code: 0, stdout: "[]\n", stderr: "" });
  });

  it.each(["store_report", "store report"])("lists those of one command: %s", async (command) => {
    const { data } = await withLetters();
    const { stdout } = await census(["dead-letters", "list", "--data", data, "--command", command]);
    expect((JSON.parse(stdout) as { name: string }[]).map(({ name }) => name)).toEqual([REPORT]);
  });

  it("lists them as a table", async () => {
    const { data } = await withLetters();
    const { stdout, stderr } = await census(["dead-letters", "list", "--data", data, "--output", "table"]);
    expect(stdout).toContain(`│ ${FACTS} `);
    expect(stderr).toBe("2 rows\n");
  });

  it("shows the indented payload of one, and its diagnosis", async () => {
    const { data } = await withLetters();
    const { code, stdout } = await census(["dead-letters", "show", FACTS, "--data", data, "--output", "table"]);
    expect(code).toBe(0);
    expect(stdout).toBe(
      [
        FACTS,
        `replace facts version 5 of foo, received 2024-01-02T03:04:05.678Z, ${PAYLOAD.length} bytes`,
        "",
        "Attempt 1 @ 2024-01-02T03:04:05.678Z",
        "values: expected an object, found a string",
        "",
        '{\n  "values": "none",\n  "size": 12345678901234567890.0\n}',
        "",
        "",
      ].join("\n"),
    );
  });

  it("shows a payload that is not JSON unpacked, with control characters escaped", async () => {
    const { data } = await withLetters();
    const { stdout } = await census(["dead-letters", "show", REPORT, "--data", data, "--output", "table"]);
    expect(stdout).toContain("\n\nnot \u{fffd}[2J JSON\n");
  });

  it("prints JSON with the payload as a text", async () => {
    const { data } = await withLetters();
    const { stdout } = await census(["dead-letters", "show", "--all", "--data", data]);
    expect(JSON.parse(stdout)).toMatchObject([
      { name: FACTS, diagnosis: `Attempt 1 @ 2024-01-02T03:04:05.678Z\n${fault.message}\n` },
      { name: REPORT, payload: "not \u001b[2J JSON" },
    ]);
  });

  it("retries the named ones, and says what happens next", async () => {
    const { data, office } = await withLetters();
    const next = `a server running on ${data} retries within seconds, otherwise after its next start`;
    expect(await census(["dead-letters", "retry", REPORT, "--data", data])).toEqual({
      code: 0,
      stdout: `Queued 1 command for retry: ${next}\n`,
      stderr: "",
    });
    expect(await names(office)).toEqual([FACTS]);
    expect(await readdir(join(data, "queue", "again"))).toEqual([REPORT.replace("store_report/", "")]);
  });

  it("retries all of one command", async () => {
    const { data, office } = await withLetters();
    await census(["dead-letters", "retry", "--all", "--command", "replace_facts", "--data", data]);
    expect(await names(office)).toEqual([REPORT]);
  });

  it("deletes the named ones after a confirmation", async () => {
    const { data, office } = await withLetters();
    const words = ["dead-letters", "delete", FACTS, REPORT, "--data", data];
    const refused = await census(words);
    expect(refused).toMatchObject({ code: 2, stdout: "" });
    expect(refused.stderr).toBe(
      "census: dead-letters: delete needs --yes when there is no terminal for confirmation\n",
    );
    expect(await names(office)).toEqual([FACTS, REPORT]);
    expect(await census([...words, "--yes"])).toEqual({ code: 0, stdout: "Deleted 2 commands\n", stderr: "" });
    expect(await names(office)).toEqual([]);
  });
});

describe("census dead-letters reports an error in one line, and changes nothing", () => {
  it.each<[words: string[], code: number, line: RegExp]>([
    [["burn"], 2, /^census: dead-letters: ACTION must be one of list, show, retry, delete, not "burn"$/],
    [[], 2, /^census: dead-letters: missing argument ACTION;/],
    [["list", FACTS], 2, /^census: dead-letters: list takes no names; use show$/],
    [["retry"], 2, /^census: dead-letters: no name given; use a name printed by list, or --all$/],
    [["retry", FACTS, "--all"], 2, /^census: dead-letters: names and --all cannot be used together$/],
    [["list", "--command", "burn"], 2, /^census: dead-letters: --command must be one of .*store_report, not "burn"$/],
    [["delete", FACTS, "../identity", "--yes"], 1, /^census: dead letter "..\/identity" not found$/],
    [["show", "replace_facts/17.json"], 1, /^census: dead letter "replace_facts\/17.json" not found$/],
  ])("%j", async (words, code, line) => {
    const { data, office } = await withLetters();
    const run = await census(["dead-letters", ...words, "--data", data]);
    expect({ code: run.code, stdout: run.stdout }).toEqual({ code, stdout: "" });
    expect(run.stderr.trimEnd()).toMatch(line);
    expect(await names(office)).toEqual([FACTS, REPORT]);
  });

  it("for a folder that no server has used", async () => {
    expect(await census(["dead-letters", "list", "--data", work])).toEqual({
      code: 1,
      stdout: "",
      stderr: `census: ${work}: not a data directory of a server\n`,
    });
  });
});

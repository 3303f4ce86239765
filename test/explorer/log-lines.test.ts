import { describe, expect, test } from "vitest";
import { diffLines, textDiff } from "#app/explorer/pages/report/text-diff.ts";
import { friendly } from "#storage/display/friendly.ts";
import { isAtLeast, levelOf } from "#app/explorer/pages/report/rows.ts";
import { type Metric, runTime } from "#storage/display/run-time.ts";
import { shortFile } from "#storage/display/short-file.ts";
import { parseJson } from "#storage/json.ts";

const certname = "web-01.example.com";

describe("a readable message", () => {
  test("shortens what the server says about a catalog", () => {
    const message =
      "Could not retrieve catalog from remote server: Error 500 on SERVER: Server Error: Evaluation Error: Error while " +
      "evaluating a Function Call, no key 'ntp' (file: /etc/puppetlabs/code/environments/production/modules/ntp/manifests/init.pp, " +
      "line: 12, column: 5) on node web-01.example.com";
    expect(friendly(message, { certname })).toBe("No catalog: no key 'ntp' (ntp/manifests/init.pp:12)");
  });

  test("keeps the node where it is not known whose message it is", () => {
    expect(friendly("No such class on node web-01", { certname: "" })).toBe("No such class on node web-01");
  });

  test("shortens checksums", () => {
    const sum = "50f97bc0ff0bb66535cc4ea06051d001a1af6c46721996c3ab3446d78269c941";
    expect(friendly(`content changed '{sha256}${sum}' to '{md5}${sum.slice(0, 32)}'`, { certname })).toBe(
      "content changed '{sha256}50f97bc0…' to '{md5}50f97bc0…'",
    );
  });

  test("does not repeat the property that is shown beside the message", () => {
    expect(friendly("mode changed '0644' to '0640'", { certname, property: "mode" })).toBe("changed '0644' to '0640'");
    expect(friendly("mode changed '0644' to '0640'", { certname, property: "owner" })).toBe(
      "mode changed '0644' to '0640'",
    );
  });

  test("leaves other messages and other nodes' names", () => {
    const message = "Could not evaluate: cannot reach db-01.example.com (file not found) on node db-01.example.com";
    expect(friendly(message, { certname })).toBe(message);
  });

  test("takes time in proportion to a hostile message's length", () => {
    const message = `${"/a".repeat(500_000)}${"(file: x".repeat(50_000)}${"Evaluation Error: ".repeat(50_000)}`;
    expect(friendly(message, { certname })).toContain("/a/a");
  });
});

test("shortFile drops the folder of the environment", () => {
  expect(shortFile("/etc/puppetlabs/code/environments/production/modules/ntp/manifests/init.pp")).toBe(
    "ntp/manifests/init.pp",
  );
  expect(shortFile("/etc/puppetlabs/code/environments/it_4/manifests/site.pp")).toBe("manifests/site.pp");
  expect(shortFile("C:/code/environments/dev/site-modules/role/manifests/web.pp")).toBe("role/manifests/web.pp");
  expect(shortFile("/opt/puppet/site.pp")).toBe("/opt/puppet/site.pp");
});

describe("diffLines", () => {
  test("recognises the kinds of lines of a unified diff", () => {
    const message =
      "\n--- /etc/motd\t2026-11-20\n+++ /tmp/puppet-file\t2026-11-20\n@@ -1,2 +1,2 @@\n same\n-old\n+new\n";
    expect(diffLines(message)?.map(({ kind }) => kind)).toEqual(["head", "head", "place", "same", "removed", "added"]);
  });

  test("returns undefined for other messages", () => {
    expect(diffLines("--- no diff")).toBeUndefined();
    expect(diffLines("- a\n+ b\n@@ c")).toBeUndefined();
  });
});

function many(name: string): string {
  return Array.from({ length: 5000 }, (_, index) => `${name} ${index}`).join("\n");
}

describe("textDiff", () => {
  test("gives changed lines with those around them", () => {
    expect(textDiff("a\nb\nc\nd\n", "a\nb\nC\nd\n")?.map(({ text }) => text)).toEqual([
      "line 1",
      " a",
      " b",
      "-c",
      "+C",
      " d",
    ]);
  });

  test("gives up on texts without anything in common", () => {
    expect(textDiff(many("a"), many("b"))).toBeUndefined();
  });
});

test("levels worse than err count as err, unknown ones as notice", () => {
  expect(["emerg", "crit", "err", "warning", "constructor", "debug"].map(levelOf)).toEqual([
    "err",
    "err",
    "err",
    "warning",
    "notice",
    "debug",
  ]);
  expect(isAtLeast("alert", "err")).toBe(true);
  expect(isAtLeast("info", "notice")).toBe(false);
});

function time(name: string, value: string): Metric {
  return { category: "time", name, value: parseJson(value) };
}

test("runTime parts the steps of the run from the types of resources", () => {
  expect(
    runTime([
      time("total", "40"),
      time("transaction_evaluation", "29"),
      time("catalog_application", "30.0"),
      time("config_retrieval", "9.1"),
      time("file", "2"),
      time("exec", "12.50"),
      time("odd", '"x"'),
      time("negative", "-1"),
      { category: "events", name: "failure", value: 1 },
    ]),
  ).toEqual({
    steps: [
      { name: "catalog retrieval", seconds: 9.1 },
      { name: "catalog application", seconds: 30 },
    ],
    types: [
      { name: "exec", seconds: 12.5 },
      { name: "file", seconds: 2 },
    ],
  });
});

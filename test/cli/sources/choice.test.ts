import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { chooseSource } from "#cli/sources/choice.ts";
import type { SourceArguments } from "#cli/sources/options.ts";
import { fixedClock } from "#storage/time.ts";
import { workFolder } from "../census.ts";

const folder = workFolder();
const data = join(folder, "data");
mkdirSync(data);
writeFileSync(join(data, "census.duckdb"), "");

const NOW = "2026-11-20T12:00:00Z";

function choose(args: SourceArguments, env: NodeJS.ProcessEnv): object {
  return chooseSource("query", args, undefined, env);
}

describe("a source", () => {
  it.each<[what: string, args: SourceArguments, word: string | undefined, expected: object]>([
    ["--archive", { archive: "a.tgz" }, undefined, { kind: "archive", path: "a.tgz", cached: true }],
    ["--no-cache", { archive: "a.tgz", cache: false }, undefined, { kind: "archive", cached: false }],
    ["--data", { data: "d" }, undefined, { kind: "data", path: "d" }],
    ["--url", { url: "http://db" }, undefined, { kind: "url", contact: { url: "http://db" } }],
    ["nothing", {}, undefined, { kind: "url", contact: {} }],
    [
      "a word that is an address",
      { cacert: "ca" },
      "https://db",
      { kind: "url", contact: { url: "https://db", cacert: "ca" } },
    ],
    ["a word that is a data directory", {}, data, { kind: "data", path: data }],
    ["a word that is another folder", {}, folder, { kind: "archive", path: folder }],
    ["a word that is a file, or nothing", {}, "a.tgz", { kind: "archive", path: "a.tgz" }],
  ])("is chosen by %s", (_what, args, word, expected) => {
    expect(chooseSource("query", args, word)).toMatchObject(expected);
  });

  it("uses the requested time", () => {
    const chosen = chooseSource("query", { archive: "a.tgz", now: NOW });
    const clock = chosen.kind === "archive" ? chosen.clock : undefined;
    expect(clock?.now()).toBe(fixedClock(1_795_176_000_000_000n).now());
  });

  it("is that of the session where none is named", () => {
    const session = { CENSUS_ARCHIVE: "a.tgz" };
    expect(choose({ now: NOW }, session)).toMatchObject({ kind: "archive", path: "a.tgz" });
    expect(choose({}, { CENSUS_ARCHIVE: data })).toMatchObject({ kind: "data", path: data });
    expect(choose({ url: "http://db" }, session)).toMatchObject({ kind: "url" });
    expect(choose({}, { CENSUS_ARCHIVE: "" })).toMatchObject({ kind: "url" });
    const both = { ...session, CENSUS_URL: "http://db" };
    expect(() => choose({}, both)).toThrow("query: CENSUS_ARCHIVE and CENSUS_URL are both set");
    expect(choose({ archive: "b.tgz" }, both)).toMatchObject({ kind: "archive", path: "b.tgz" });
  });

  it.each<[SourceArguments, string | undefined, string]>([
    [{ archive: "a", data: "d" }, undefined, "query: --archive and --data cannot be used together"],
    [{ url: "u", urls: "v" }, undefined, "query: --url and --urls cannot be used together"],
    [{ url: "u" }, "a.tgz", 'query: "a.tgz" and --url cannot be used together'],
    [{ now: NOW }, undefined, "query: --now needs an archive or a data directory; a server has its own clock"],
    [{ now: NOW }, "http://db", "query: --now needs an archive or a data directory; a server has its own clock"],
    [{ archive: "a", now: "noon" }, undefined, '--now must be a timestamp such as 2026-11-20T12:00:00Z, not "noon"'],
  ])("%j %j is refused", (args, word, message) => {
    expect(() => chooseSource("query", args, word)).toThrow(message);
  });
});

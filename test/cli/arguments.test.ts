import type { StringArgDef } from "citty";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { type Declarations, type Repeatable, readArguments } from "#cli/arguments.ts";
import { UsageError } from "#cli/errors.ts";
import { workFolder } from "./census.ts";

const sampleArchive = join(import.meta.dirname, "../../fixtures/sample.tgz");

const repeatable: StringArgDef & { type: "string" } & Repeatable = { type: "string", valueHint: "NAME", repeats: true };

const command: Declarations = {
  name: "list",
  args: {
    word: { type: "positional", required: false, description: "A word" },
    archive: { type: "string", valueHint: "FILE" },
    url: { type: "string", valueHint: "URL" },
    limit: { type: "string", valueHint: "N" },
    param: repeatable,
    pager: { type: "boolean", default: true },
    sort: { type: "enum", options: ["age", "name"] },
  },
  formerOptions: { last: "limit" },
};

describe("a command line", () => {
  it("is read with all values of options that may be repeated", () => {
    const { words, options, lists, after } = readArguments(command, [
      "--param",
      "a",
      "x",
      "--param=--limit",
      "--no-pager",
    ]);
    expect(words).toStrictEqual(["--param=a", "--param=--limit", "--no-pager", "--", "x"]);
    expect([...options]).toStrictEqual(["param", "pager"]);
    expect(lists).toStrictEqual({ param: ["a", "--limit"] });
    expect(after).toBeUndefined();
  });

  it("has former names of options", () => {
    expect(readArguments(command, ["--last", "3"]).words).toStrictEqual(["--limit=3", "--"]);
  });

  it("has words after --, which are no options", () => {
    const { words, after } = readArguments({ ...command, repeats: true }, ["x", "--", "--limit", "3"]);
    expect(words).toStrictEqual(["--", "x", "--limit", "3"]);
    expect(after).toStrictEqual(["--limit", "3"]);
  });

  it.each([
    [["--limt", "3"], "unknown option --limt; did you mean --limit?"],
    [["--limit", "3", "--limit=4"], "--limit is given twice"],
    [["--limit"], "--limit needs a value: --limit N"],
    [["--limit", "-1"], "a value that begins with - is typed --limit=-1"],
    [["--no-pager=1"], "--no-pager takes no value"],
    [["--sort", "agee"], 'must be one of age, name, not "agee"; did you mean age?'],
    [["x", "y"], 'unexpected argument "y" after WORD; quote'],
    [["--no-limit"], "unknown option"],
    [["-l"], "unknown option"],
  ])("is refused: %j", (words, message) => {
    expect(() => readArguments(command, words)).toThrow(UsageError);
    expect(() => readArguments(command, words)).toThrow(message);
  });
});

describe("an argument that exists as a source", () => {
  const folder = workFolder();
  beforeAll(() => {
    mkdirSync(join(folder, "unpacked/backup/facts"), { recursive: true });
    mkdirSync(join(folder, "other/modules"), { recursive: true });
    mkdirSync(join(folder, "data"));
    writeFileSync(join(folder, "data/census.duckdb"), "");
    writeFileSync(join(folder, "web-01"), "no archive");
  });

  it("is the source: an archive by its content", () => {
    expect(readArguments(command, ["x", sampleArchive]).words).toStrictEqual([`--archive=${sampleArchive}`, "--", "x"]);
  });

  it.each([
    ["unpacked", "archive"],
    ["unpacked/backup", "archive"],
    ["data", "data"],
    ["other", undefined],
    ["web-01", undefined],
    ["absent.tgz", "archive"],
    ["absent", undefined],
  ])("by what it contains: %s", (name, option) => {
    const path = join(folder, name);
    const expected = option === undefined ? ["--", path] : [`--${option}=${path}`, "--"];
    expect(readArguments(command, [path]).words).toStrictEqual(expected);
  });

  it("is none where the source is named, where arguments are paths, and in commands without a source", () => {
    const { archive: _, ...others } = command.args;
    expect(readArguments(command, [sampleArchive, "--url", "http://x"]).words.at(-1)).toBe(sampleArchive);
    expect(readArguments({ ...command, readsPaths: true }, [sampleArchive]).words.at(-1)).toBe(sampleArchive);
    expect(readArguments({ ...command, args: others }, [sampleArchive]).words.at(-1)).toBe(sampleArchive);
  });
});

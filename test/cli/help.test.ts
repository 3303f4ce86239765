import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { census } from "./census.ts";

describe("census --help", () => {
  it("lists the commands, without loading the engine", async () => {
    const { code, stdout, stderr } = await census(["--help"], { withoutEngine: true });
    expect({ code, stderr }).toStrictEqual({ code: 0, stderr: "" });
    for (const command of ["open", "serve", "import", "query", "status"])
      expect(stdout).toMatch(new RegExp(`^ +${command} `, "m"));
    expect(stdout).toMatch(/^EXAMPLES$/m);
    expect(stdout).not.toContain("\u001b");
  });

  it("of a command is its page", async () => {
    const { code, stdout } = await census(["query", "--help"]);
    expect(code).toBe(0);
    for (const line of ["USAGE census query", "  --archive FILE ", "  census query "]) expect(stdout).toContain(line);
  });
});

it("census --version is the package's, without loading the engine", async () => {
  const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as {
    version: string;
  };
  expect(await census(["--version"], { withoutEngine: true })).toStrictEqual({
    code: 0,
    stdout: `${version}\n`,
    stderr: "",
  });
});

describe("invalid command lines cause one line on stderr and exit code 2", () => {
  it.each<[string[], RegExp]>([
    [["opne"], /^census: unknown command "opne"; did you mean open\?$/],
    [["nodse"], /^census: unknown command "nodse"; did you mean nodes\?$/],
    [["frobnicate"], /^census: unknown command "frobnicate"; see census --help$/],
    [["--memory"], /^census: unknown option --memory; see census --help$/],
    [["--hlep"], /^census: unknown option --hlep; did you mean --help\?$/],
    [["serve", "--memroy"], /^census: serve: unknown option --memroy; did you mean --memory\?$/],
    [["serve", "-x"], /^census: serve: unknown option -x; see census serve --help$/],
    [["open", "--no-browse"], /^census: open: unknown option --no-browse; did you mean --no-browser\?$/],
    [["serve", "--no-port"], /^census: serve: unknown option --no-port;/],
    [["serve", "--memory", "--data", "x"], /^census: serve: --data and --memory cannot be used together$/],
    [["serve", "--memory=yes"], /^census: serve: --memory takes no value$/],
    [["serve", "--data", "--memory"], /^census: serve: --data needs a value: --data DIR$/],
    [["serve", "--memory", "--port", "http"], /^census: --port must be a number from 0 to 65535, not "http"$/],
    [["serve", "--memory", "--port", "65536"], /^census: --port must be .*, not "65536"$/],
    [["serve", "--memory", "--now", "yesterday"], /^census: --now must be a timestamp .*, not "yesterday"$/],
    [["serve", "here"], /^census: serve: unexpected argument "here";/],
    [["open"], /^census: open: missing argument ARCHIVE;/],
    [["import"], /^census: import: missing argument ARCHIVE;/],
    [["query"], /^census: query: missing argument QUERY;/],
    [["query", "nodes{}", "--output", "xml"], /^census: query: --output must be one of .*, not "xml"$/],
    [["nodes", "--status", "faild"], /^census: nodes: --status must be one of .*, not "faild"; did you mean failed\?$/],
    [["query", "nodes{}", "--data", "x", "--url", "y"], /^census: query: --data and --url cannot be used together$/],
    [["query", "nodes{}", "--url", "localhost"], /^census: --url must be a URL .*, not "localhost"$/],
    [["status", "--url", "localhost:8080"], /^census: --url must be a URL .*, not "localhost:8080"$/],
    [["status", "--timeout", "0"], /^census: --timeout must be a number of seconds above 0, not "0"$/],
    [["query", "nodes{}", "--now", "2026-01-01"], /^census: query: --now needs an archive or a data directory;/],
    [["query", "-"], /^census: query: the query is empty$/],
    [["query", "nodes[certname { }", "--archive", "x"], /^census: PQL parse error at line 1, column 16: \S.*$/],
    [["query", '["from", "nodes"', "--archive", "x"], /^census: Json parse error at line 1, column 17: \S.*$/],
  ])("%j", async (words, line) => {
    const { code, stdout, stderr } = await census(words);
    expect({ code, stdout }).toStrictEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(/^[^\n]+\n$/);
    expect(stderr.trimEnd()).toMatch(line);
  });
});

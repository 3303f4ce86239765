import { readFileSync, readlinkSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { identifyToken } from "#app/sign-in/tokens.ts";
import { parseAccessFile } from "#app/sign-in/access-file.ts";
import { census, workFolder } from "#test/cli/census.ts";

const folder = workFolder();
let count = 0;
const newFile = (): string => join(folder, `access-${count++}.json`);
const read = (file: string) => parseAccessFile(readFileSync(file, "utf8"), file);

describe("census token", () => {
  it("creates a token, prints it once and writes its hash alone", async () => {
    const file = newFile();
    const { code, stdout, stderr } = await census([
      "token",
      "create",
      "ci",
      "--may",
      "query,metrics",
      "--access-file",
      file,
    ]);
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringMatching(
        /^changed .*; a server that reads it follows within a second\ncreated token ci \(query, metrics; until \d{4}-\d\d-\d\d\); it is shown only now\n$/,
      ) as string,
    });
    expect(stdout).toMatch(/^census_[a-z0-9]{8}_[\w-]{43}\n$/);
    expect(readFileSync(file, "utf8")).not.toContain(stdout.trim().slice(16));
    expect(statSync(file).mode & 0o777).toBe(0o640);
    const { subject } = identifyToken(stdout.trim(), read(file), Date.now());
    expect(subject).toMatchObject({ kind: "token", name: "ci", may: new Set(["query", "metrics"]) });
    const again = await census(["token", "create", "ci", "--may", "query", "--access-file", file]);
    expect(again).toMatchObject({
      code: 1,
      stderr: 'census: a token named "ci" exists; revoke it first or choose another name\n',
    });
  });

  it("revokes and lists tokens, and keeps the mode of the file", async () => {
    const file = newFile();
    writeFileSync(file, "{}", { mode: 0o600 });
    const out = join(folder, "token-1");
    const words = ["--access-file", file];
    const made = await census([
      "token",
      "create",
      "ci",
      "--may",
      "reader",
      "--expires",
      "never",
      "--out",
      out,
      ...words,
    ]);
    expect(made).toMatchObject({
      code: 0,
      stdout: "",
      stderr: expect.stringContaining("never expires: revoke it") as string,
    });
    expect(statSync(out).mode & 0o777).toBe(0o600);
    expect(await census(["token", "revoke", "ci", ...words])).toMatchObject({ code: 0 });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const token = readFileSync(out, "utf8").trim();
    expect(identifyToken(token, read(file), Date.now())).toMatchObject({ invalid: { kind: "token-revoked" } });
    expect(await census(["token", "revoke", "ci", ...words])).toMatchObject({ code: 1 });
    // the name can be used again
    expect(await census(["token", "create", "ci", "--may", "admin", ...words])).toMatchObject({ code: 0 });
    const { stdout } = await census(["token", "list", ...words]);
    expect(JSON.parse(stdout)).toEqual([
      expect.objectContaining({ name: "ci", state: "revoked", may: "reader", expires: null }),
      expect.objectContaining({ name: "ci", state: "valid", may: "admin" }),
    ]);
  });

  it("replaces the file to which a link leads, and keeps the link", async () => {
    const [file, link] = [newFile(), newFile()];
    writeFileSync(file, "{}");
    symlinkSync(file, link);
    const create = async (name: string) => census(["token", "create", name, "--may", "query", "--access-file", link]);
    expect(await create("ci")).toMatchObject({ code: 0 });
    expect([readlinkSync(link), [...read(file).tokens.values()].length]).toEqual([file, 1]);
    rmSync(file);
    expect(await create("cd")).toMatchObject({
      code: 1,
      stderr: `census: ${link}: is a link to ${file}, which does not exist\n`,
    });
  });

  it("loses no change of commands that run at the same time", async () => {
    const file = newFile();
    const names = ["a", "b", "c", "d"];
    const runs = names.map((name) => census(["token", "create", name, "--may", "query", "--access-file", file]));
    expect((await Promise.all(runs)).map(({ code }) => code)).toEqual([0, 0, 0, 0]);
    expect([...read(file).tokens.values()].map(({ name }) => name).sort()).toEqual(names);
  });

  it("prints the entry for configuration management instead of changing the file", async () => {
    const out = join(folder, "token-2");
    const { code, stdout } = await census(["token", "create", "ci", "--may", "query", "--entry", "--out", out]);
    expect(code).toBe(0);
    const content = parseAccessFile(stdout, "entry");
    expect(identifyToken(readFileSync(out, "utf8").trim(), content, Date.now())).toHaveProperty("subject.name", "ci");
  });

  it("reads the path from the configuration of the service", async () => {
    const file = newFile();
    const config = join(folder, "census.ini");
    writeFileSync(config, `[census]\naccess-file = ${file}\n`);
    expect(await census(["token", "create", "ci", "--may", "query", "--config", config])).toMatchObject({ code: 0 });
    expect(read(file).tokens.size).toBe(1);
  });

  it.each<[words: string[], problem: string]>([
    [["create", "ci", "--may", "queries"], '--may: unknown family "queries"; use query, command, archive, admin,'],
    [["create", "ci"], "token: create needs --may: query, command,"],
    [["create", "--may", "query"], "token: missing argument NAME; see census token --help"],
    [["create", "a b", "--may", "query"], "token: NAME must not contain spaces"],
    [["create", "ci", "--may", "query", "--expires", "soon"], "--expires must be a duration such as 90d, or never,"],
    [["remove", "ci"], 'token: ACTION must be one of create, list, revoke, not "remove"'],
    [["list"], "access-file is not set: name the file with --access-file, or set it in [census]"],
  ])("%j is refused: %s", async (words, problem) => {
    const { code, stderr } = await census(["token", ...words]);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(problem) as string });
  });
});

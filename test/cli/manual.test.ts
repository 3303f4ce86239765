import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { manualPage } from "#cli/help/manual.ts";
import { optionTerms } from "#cli/help/command-page.ts";
import { topics } from "#cli/topics/topics.ts";
import { canRun } from "#test/clients/tools.ts";
import { census, workFolder } from "./census.ts";
import { commands, options } from "./declarations.ts";

const folder = workFolder();
const page = join(folder, "census.1");
beforeAll(() => writeFileSync(page, manualPage(commands)));

it("census help --man prints the manual page", async () => {
  expect(await census(["help", "--man"])).toStrictEqual({ code: 0, stdout: manualPage(commands), stderr: "" });
});

describe.skipIf(!canRun("census(1) in mandoc", ["mandoc"]))("census(1) in mandoc", () => {
  it("has no warnings except for its missing date", () => {
    const { stdout } = spawnSync("mandoc", ["-T", "lint", "-W", "warning", page], { encoding: "utf8" });
    const said = stdout.split("\n").filter((line) => line !== "" && !line.includes("missing date"));
    expect(said).toStrictEqual([]);
  });

  it("contains every command, option and topic", () => {
    const shown = spawnSync("mandoc", ["-T", "utf8", "-O", "width=500", page], { encoding: "utf8" }).stdout;
    // Bold is written as a letter, a backspace and the letter again.
    // oxlint-disable-next-line no-control-regex
    const text = shown.replaceAll(/.\u0008/gu, "");
    for (const { name } of commands) expect(text).toContain(`census ${name} `);
    for (const { name, declaration } of options) {
      for (const [term] of optionTerms([name, declaration])) expect(text).toContain(term.replaceAll("…", "..."));
    }
    for (const { name } of topics) expect(text).toContain(`\n${name.replaceAll("-", " ").toUpperCase()}\n`);
    expect(text).toContain(`census query '["from", "facts", ["=", "name", "kernel"]]' --archive export.tgz`);
  });
});

describe.skipIf(!canRun("census(1) in man", ["man"]))("census(1) in man", () => {
  it("has no warnings", () => {
    const { status, stderr, stdout } = spawnSync("man", ["--warnings=w", "-l", page], {
      encoding: "utf8",
      env: { ...process.env, MANWIDTH: "80", LC_ALL: "C.UTF-8" },
    });
    expect({ status, stderr }).toStrictEqual({ status: 0, stderr: "" });
    expect(stdout).toContain("SYNOPSIS");
  });
});

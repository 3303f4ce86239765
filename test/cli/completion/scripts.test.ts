import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { completionModel } from "#cli/completion/model.ts";
import { scripts } from "#cli/completion/scripts.ts";
import { topics } from "#cli/topics/topics.ts";
import { canRun } from "#test/clients/tools.ts";
import { census, workFolder } from "../census.ts";
import { commands } from "../declarations.ts";
import { hasTerminals, Terminal } from "../terminal.ts";

const folder = workFolder();
const names = topics.map(({ name }) => name);
const model = completionModel(commands, names);
const shells = ["bash", "zsh", "fish"] as const;
const scriptOf = (shell: (typeof shells)[number]): string => join(folder, `completion.${shell}`);

beforeAll(() => {
  for (const shell of shells) writeFileSync(scriptOf(shell), scripts[shell](model));
  mkdirSync(join(folder, "site data"));
  writeFileSync(join(folder, "site export.tgz"), "");
});

/** The words of a command line, the last of which is completed, and what it may become. */
const cases: readonly (readonly [words: readonly string[], completed: readonly string[]])[] = [
  [["qu"], ["query"]],
  [["dead"], ["dead-letters"]],
  [["query", "--outp"], ["--output"]],
  [
    ["query", "--output", ""],
    ["csv", "csv-safe", "html", "json", "markdown", "names", "ndjson", "parquet", "table", "tsv", "xlsx"],
  ],
  [["query", "--output", "nd"], ["ndjson"]],
  [["query", "--no-c"], ["--no-cache"]],
  [["query", "nodes{}", "--arch"], ["--archive"]],
  [
    ["serve", "--client-auth", ""],
    ["need", "none", "want"],
  ],
  [["serve", "--log-f"], ["--log-format"]],
  [["open", "--nosuch"], []],
  [
    ["open", "site"],
    ["site data/", "site export.tgz"],
  ],
  [["query", "--archive", "site e"], ["site export.tgz"]],
  [["import", "--data", "site"], ["site data/"]],
  [
    ["dead-letters", ""],
    ["delete", "list", "retry", "show"],
  ],
  [["dead-letters", "--data", "x", "re"], ["retry"]],
  [["dead-letters", "list", "l"], []],
  [
    ["completion", ""],
    ["bash", "fish", "zsh"],
  ],
  [["help", "exi"], ["exit-codes"]],
  [["help", "topi"], ["topics"]],
  [["nosuch", ""], []],
];

/** What bash would offer. */
function inBash(words: readonly string[]): string[] {
  const script = `. "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _census; printf '%s\\n' "\${COMPREPLY[@]}"`;
  return execFileSync("bash", ["--norc", "-c", script, scriptOf("bash"), "census", ...words], {
    cwd: folder,
    encoding: "utf8",
  })
    .split("\n")
    .filter((word) => word !== "")
    .sort();
}

describe.skipIf(!canRun("completion in bash", ["bash"]))("bash", () => {
  it.each(cases)("%j becomes %j", (words, completed) => {
    // bash itself adds a slash after a folder, because the script marks these as files.
    expect(inBash(words)).toStrictEqual(completed.map((word) => word.replace(/\/$/, "")));
  });

  it("splits --option=value", () => {
    expect(inBash(["query", "--output", "=", "mark"])).toStrictEqual(["markdown"]);
    expect(inBash(["dead-letters", "--data", "=", "x", "re"])).toStrictEqual(["retry"]);
  });

  it("needs only bash, and is registered for census", () => {
    const words = ["--norc", "-c", `set -eu; . "$0"; complete -p census`, scriptOf("bash")];
    expect(execFileSync("bash", words, { encoding: "utf8" })).toBe("complete -F _census census\n");
  });
});

describe.skipIf(!canRun("completion in fish", ["fish"]))("fish", () => {
  it.each(cases)("%j becomes %j", (words, completed) => {
    const line = ["census", ...words].map((word) => word.replaceAll(" ", "\\ ")).join(" ");
    const found = execFileSync(
      "fish",
      ["--no-config", "-c", `source $argv[1]; complete -C $argv[2]`, scriptOf("fish"), line],
      {
        cwd: folder,
        encoding: "utf8",
        env: { ...process.env, HOME: folder },
      },
    )
      .split("\n")
      .filter((word) => word !== "")
      .map((word) => word.split("\t")[0] ?? "");
    expect(found.sort()).toStrictEqual(completed);
  });
});

const hasZsh = canRun("completion in zsh", ["zsh"]) && hasTerminals("completion in zsh");

describe.skipIf(!hasZsh)("zsh", () => {
  const only = cases.filter(([, completed]) => completed.length === 1);

  beforeAll(() => {
    writeFileSync(
      join(folder, ".zshrc"),
      `PROMPT='ready> '; unsetopt beep prompt_cr; cd ${folder}; autoload -Uz compinit; compinit -u -D; . ${scriptOf("zsh")}
show() { print -r -- "[$BUFFER]"; BUFFER=''; zle reset-prompt; }; zle -N show; bindkey '^X' show\n`,
    );
  });

  it("completes what is typed, as the script is sourced", async () => {
    const terminal = new Terminal([], {
      program: ["zsh", "-d", "-i"],
      columns: 200,
      env: { TERM: "dumb", ZDOTDIR: folder, HOME: folder },
    });
    await terminal.until("ready> ");
    const found: string[] = [];
    for (const [words] of only) {
      const line = ["census", ...words].map((word) => word.replaceAll(" ", "\\ ")).join(" ");
      terminal.type(`${line}\t\u0018`);
      found.push((await terminal.until(/\[census [^\n]*\]/)).replace(/^[^]*\[census |=?\s*\]$/g, ""));
    }
    terminal.type("\u0004");
    await terminal.ended();
    expect(found).toStrictEqual(
      only.map(([words, [completed = ""]]) =>
        [...words.slice(0, -1), completed].map((word) => word.replaceAll(" ", "\\ ")).join(" "),
      ),
    );
  });

  it("lists the possible values, and options with their descriptions", async () => {
    const terminal = new Terminal([], {
      program: ["zsh", "-d", "-i"],
      columns: 200,
      env: { TERM: "dumb", ZDOTDIR: folder, HOME: folder },
    });
    await terminal.until("ready> ");
    terminal.type("census query --output \t");
    expect(await terminal.until("xlsx")).toMatch(
      /csv +csv-safe +html +json +markdown +names +ndjson +parquet +table +tsv +xlsx$/,
    );
    terminal.type("\u0015census query --\t");
    expect(await terminal.until("tar.gz")).toMatch(/--archive +-- Query an exported archive: tar\.gz$/);
    terminal.type("\u0015\u0004");
    await terminal.ended();
  });
});

it("census completion prints the script, and rejects other shells", async () => {
  expect(await census(["completion", "bash"])).toStrictEqual({ code: 0, stdout: scripts.bash(model), stderr: "" });
  const said = 'census: completion: SHELL must be one of bash, zsh, fish, not "csh"\n';
  expect(await census(["completion", "csh"])).toStrictEqual({ code: 2, stdout: "", stderr: said });
});

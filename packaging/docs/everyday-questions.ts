/**
 * Everyday questions and how the command line answers them, for `docs/command-line.md`: each command is run over the
 * sample archive.
 */
import { spawn } from "node:child_process";
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";

const root = join(import.meta.dirname, "../..");

/** The columns of the terminal. */
const COLUMNS = 100;

const questions: readonly (readonly [question: string, ...words: string[]])[] = [
  ["How is the fleet?", "nodes", "--count"],
  ["Which nodes failed?", "nodes", "--status", "failed"],
  ["Why?", "events", "--limit", "3"],
  ["What is wrong with this node?", "node", "berth-0006"],
  ["Which nodes have been silent?", "nodes", "--silent", "2h"],
  ["Which nodes keep changing their state?", "reports", "--flapping", "--since", "7d", "--limit", "4"],
  ["Since when are the runs slow?", "reports", "--by-day", "--since", "4d"],
  ["On what do the runs spend their time?", "resources", "--slowest", "--limit", "3"],
  ["What was changed outside of Puppet?", "events", "--corrective", "--group-by", "resource", "--limit", "4"],
  ["Which operating systems do we run?", "facts", "--name", "os.family", "--count"],
  ["Who has an openssl that is too old?", "packages", "openssl", "--older-than", "3.0.8"],
  [
    "Which nodes have this class and this fact?",
    "nodes",
    "--class",
    "chrony",
    "--fact",
    "os.family=Debian",
    "--limit",
    "4",
  ],
  ["Which roles are in use?", "classes", "role::*"],
  ["Where does this name occur?", "search", "interlock", "--limit", "2"],
];

/** The questions with the output of their commands, as the lines of a page. */
export async function renderEverydayQuestions(): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), "census-questions-"));
  try {
    copyFileSync(join(root, "fixtures/sample.tgz"), join(folder, "export.tgz"));
    const lines: string[] = [];
    for (const [question, ...words] of questions) {
      const shown = await run(folder, [...words, "--archive", "export.tgz"]);
      lines.push(
        "",
        question,
        "",
        "```console",
        `$ census ${words.map(quoted).join(" ")} --archive export.tgz`,
        ...shown,
        "```",
      );
    }
    return lines;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The output of a command on a terminal that is high enough to need no pager. */
async function run(folder: string, words: readonly string[]): Promise<string[]> {
  const terminal = `Object.assign(process.stdout, { isTTY: true, columns: ${COLUMNS}, rows: 1000 })`;
  const preload = ["--import", `data:text/javascript,${encodeURIComponent(terminal)}`];
  const child = spawn(process.execPath, [...preload, join(root, "cli/main.ts"), ...words], {
    cwd: folder,
    env: { ...process.env, XDG_CACHE_HOME: join(folder, "cache"), NO_COLOR: "1" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [out, errors, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<number | null>((resolve) => child.once("close", resolve)),
  ]);
  if (code !== 0) throw new Error(`census ${words.join(" ")} ended with ${code}: ${errors}`);
  return `${out.trimEnd()}\n${errors}`
    .trimEnd()
    .split("\n")
    .map((line) => line.trimEnd());
}

function quoted(word: string): string {
  return /^[\w.:=/-]+$/.test(word) ? word : `'${word}'`;
}

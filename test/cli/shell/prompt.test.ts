import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { canRun } from "#test/clients/tools.ts";
import { SAMPLE, workFolder } from "../census.ts";
import { hasTerminals, Terminal, type TerminalOptions } from "../terminal.ts";

const PROMPT = "census> ";
const state = workFolder();

/** A shell that has shown its first prompt. */
async function prompt(words: readonly string[] = [], options: TerminalOptions = {}): Promise<Terminal> {
  const env = { XDG_STATE_HOME: state, PAGER: "", ...options.env };
  const terminal = new Terminal(["shell", SAMPLE, ...words], { columns: 120, ...options, env });
  await terminal.until(PROMPT);
  return terminal;
}

/** Types a line once the one before is answered; what is shown until the next prompt. */
async function enter(terminal: Terminal, line: string, next = PROMPT): Promise<string> {
  terminal.type(`${line}\r`);
  return terminal.until(next);
}

/** Types what is begun, waits until it is shown, and presses Tab; what is put in behind it is the rest. */
async function complete(terminal: Terminal, begun: string, rest: string): Promise<string> {
  terminal.type(begun);
  await terminal.until(begun);
  terminal.type("\t");
  return terminal.until(rest);
}

describe.skipIf(!hasTerminals("census shell"))("census shell on a terminal", () => {
  it("prints tables, keeps a history, and ends with Ctrl-D", async () => {
    const terminal = await prompt();
    expect(await enter(terminal, "nodes[count()]{}")).toMatch(/count\S*\r\n\S+\r\n {3}40\r\n1 row/);
    await enter(terminal, "nodes[certname]{", "...> ");
    expect(await enter(terminal, "  limit 1 }")).toContain("1 row");
    terminal.type("\u001b[A");
    await terminal.until("nodes[certname]{ limit 1 }");
    terminal.type("\r");
    expect(await terminal.until(PROMPT)).toContain("1 row");
    terminal.type("\u0004");
    expect(await terminal.ended()).toBe(0);
    const history = readFileSync(join(state, "census", "history"), "utf8");
    expect(history).toBe("nodes[count()]{}\nnodes[certname]{ limit 1 }\n");
  });

  it("has the queries of the last session in its history, unless that is switched off", async () => {
    const first = await prompt();
    await enter(first, "facts[count()]{}");
    await enter(first, "nodes[count()]{}");
    expect(await enter(first, "\\q", "\n")).toContain("\\q");
    expect(await first.ended()).toBe(0);
    const second = await prompt();
    second.type("\u001b[A\u001b[A\u001b[A");
    await second.until("facts[count()]{}");
    second.type("\u0003\u0004");
    await second.ended();
    const third = await prompt(["--no-history"]);
    third.type("\u001b[A");
    await enter(third, "\\timing");
    third.type("\u0004");
    await third.ended();
    expect(third.shown).not.toContain("count()");
    expect(readFileSync(join(state, "census", "history"), "utf8")).not.toContain("timing");
  });

  it("marks an error with a caret, and prints what to write instead", async () => {
    const terminal = await prompt(["--no-history"]);
    const shown = await enter(terminal, "nodes[certnam { }");
    expect(shown).toMatch(/\r\nnodes\[certnam \{ \}\r\n {14}\^\r\nFound “\{”/);
    expect(await enter(terminal, "nodes{ nosuch = 1 }")).toContain("'nosuch' is not a queryable object");
    expect(await enter(terminal, '["from", nodes]')).toMatch(/\r\n\["from", nodes\]\r\n {13}\^\r\nUnrecognized/);
    terminal.type("\u0004");
    expect(await terminal.ended()).toBe(0);
  });

  it("completes entities, fields, keywords, values of the source and its own commands", async () => {
    const terminal = await prompt(["--no-history"]);
    await complete(terminal, "nod", "es");
    await complete(terminal, "[certn", "ame");
    await complete(terminal, ']{ certname ~ "crane-0011', '.tollhouse.saltmarsh.example"');
    await complete(terminal, " and facts_env", "ironment");
    terminal.type("\u0003");
    await terminal.until(PROMPT);
    await complete(terminal, "\\ti", "ming");
    terminal.type("\u0003");
    await terminal.until(PROMPT);
    await complete(terminal, "\\format nd", "json");
    terminal.type("\u0003\u0004");
    expect(await terminal.ended()).toBe(0);
  });

  it("Ctrl-C clears what is typed, over several lines", async () => {
    const terminal = await prompt(["--no-history"]);
    await enter(terminal, "nodes{", "...> ");
    terminal.type("certname = ");
    await terminal.until("certname = ");
    terminal.type("\u0003");
    await terminal.until(PROMPT);
    expect(await enter(terminal, "nodes[count()]{}")).toContain("40");
    terminal.type("\u0004");
    expect(await terminal.ended()).toBe(0);
  });

  it("Ctrl-C cancels a running query, and the shell continues", async () => {
    const terminal = await prompt(["--no-history"]);
    terminal.type("\\sql SELECT count(*) FROM facts a, facts b, facts c, facts d\r");
    await terminal.until(/facts d\r*\n/);
    terminal.type("\u0003");
    expect(await terminal.until(PROMPT)).toContain("interrupted");
    expect(await enter(terminal, "nodes[count()]{}")).toContain("40");
    terminal.type("\u0004");
    expect(await terminal.ended()).toBe(0);
  });

  it("Ctrl-C closes the connection to a server that does not end its response", async () => {
    const server = createServer((_request, response) => response.writeHead(200).write('[{"certname":"a"},'));
    await once(server.listen(0, "127.0.0.1"), "listening");
    const requested = once(server, "request") as Promise<[IncomingMessage]>;
    const terminal = await prompt(["--no-history"]);
    await enter(terminal, `\\source http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    terminal.type("nodes{}\r");
    const [{ socket }] = await requested;
    terminal.type("\u0003");
    expect(await terminal.until(PROMPT)).toContain("interrupted");
    if (!socket.destroyed) await once(socket, "close");
    terminal.type("\u0004");
    expect(await terminal.ended()).toBe(0);
    server.close();
  });
});

const hasPager = hasTerminals("the pager") && canRun("the pager", ["less"]);

describe.skipIf(!hasPager)("a result that is longer than the screen", () => {
  it("goes through a pager, and the prompt returns when the pager ends", async () => {
    const terminal = await prompt(["--no-history"], { rows: 12, env: { PAGER: "less -RS" } });
    terminal.type("nodes[certname]{ order by certname }\r");
    // less shows a screenful and waits.
    const screen = await terminal.until(/\n:/);
    expect(screen).toContain("bastion-0016");
    expect(screen).not.toContain("40 rows");
    terminal.type("q");
    expect(await terminal.until(PROMPT)).toContain("40 rows");
    expect(await enter(terminal, "nodes[count()]{}")).toMatch(/\n {3}40\r\n/);
    terminal.type("\u0004");
    expect(await terminal.ended()).toBe(0);
  });
});

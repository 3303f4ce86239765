import { createServer, type ServerResponse } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import { pagerCommand } from "#cli/output/pager.ts";
import { canRun } from "#test/clients/tools.ts";
import { census, SAMPLE } from "../census.ts";
import { hasTerminals, Terminal, type TerminalOptions } from "../terminal.ts";

const query = ["query", "nodes[certname] { order by certname }", "--archive", SAMPLE];

interface Ended {
  readonly code: number | null;
  readonly shown: string;
}

async function onTerminal(words: readonly string[], options: TerminalOptions): Promise<Ended> {
  const terminal = new Terminal(words, { rows: 12, ...options });
  return { code: await terminal.ended(), shown: terminal.shown };
}

describe.skipIf(!hasTerminals("the pager"))("a result that is longer than the terminal", () => {
  it("goes through the pager that PAGER names, then the number of rows is shown", async () => {
    const { code, shown } = await onTerminal(query, { env: { PAGER: "sed 's/^/> /'" } });
    expect(code).toBe(0);
    expect(shown).toMatch(/> bastion-0007[^]*> weighbridge-\S+\r\n40 rows\r\n$/);
  });

  it.each<[why: string, words: string[], options: TerminalOptions]>([
    ["it is not wanted", ["--no-pager"], { env: { PAGER: "sed 's/^/> /'" } }],
    ["the answer is not longer", [], { rows: 60, env: { PAGER: "sed 's/^/> /'" } }],
    ["PAGER is empty", [], { env: { PAGER: "" } }],
    ["PAGER is cat", [], { env: { PAGER: "cat" } }],
    ["the terminal is dumb", [], { env: { TERM: "dumb" } }],
  ])("is shown at once if %s", async (_why, words, options) => {
    const { code, shown } = await onTerminal([...query, ...words], options);
    expect(code).toBe(0);
    expect(shown).toMatch(/(?:\r\n|\n)bastion-0007[^]*\nweighbridge-\S+\r\n40 rows\r\n$/);
  });

  it("counts lines that the terminal wraps", async () => {
    const wide = ["query", 'facts[value] { name = "os" limit 5 }', "--archive", SAMPLE, "--output", "ndjson"];
    const { shown } = await onTerminal(wide, { columns: 40, env: { PAGER: "sed 's/^/> /'" } });
    expect(shown).toMatch(/^> \{/);
  });

  it("cancels the query when the pager ends before the last row", async () => {
    const responses: ServerResponse[] = [];
    const server = createServer((_request, response) => {
      responses.push(response);
      response.writeHead(200).write(`[${'{"certname":"a"},'.repeat(200)}`);
    });
    await once(server.listen(0, "127.0.0.1"), "listening");
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const words = ["query", "nodes{}", "--url", url, "--output", "ndjson"];
    const ended = await onTerminal(words, { env: { PAGER: "head -n 2" } });
    expect(ended).toStrictEqual({ code: 0, shown: '{"certname":"a"}\r\n{"certname":"a"}\r\n' });
    expect(responses).toHaveLength(1);
    server.closeAllConnections();
    server.close();
  });

  it("reports a pager that cannot be started", async () => {
    const { code, shown } = await onTerminal(query, { env: { PAGER: "no-such-pager -x" } });
    expect(code).toBe(1);
    expect(shown.replaceAll(/\s+/g, " ")).toContain(
      'census: the pager "no-such-pager -x" cannot be started; set PAGER, or use --no-pager',
    );
  });

  it.each([
    ["the tree of facts", ["facts", "berth-0024.tollhouse.saltmarsh.example", "--archive", SAMPLE], /> os\r\n/],
    ["differences", ["diff", SAMPLE, SAMPLE, "--volatile"], /No differences/],
    ["SQL", ["sql", "SELECT name FROM facts ORDER BY 1 LIMIT 40", "--archive", SAMPLE], /> name\r\n/],
  ])("is also %s", async (_what, words, expected) => {
    expect((await onTerminal(words, { env: { PAGER: "sed 's/^/> /'", NO_COLOR: "1" } })).shown).toMatch(expected);
  });
});

describe.skipIf(!hasTerminals("less") || !canRun("the pager", ["less"]))("less", () => {
  it("shows a long result, is not ended by Ctrl-C, and leaves the result on the screen", async () => {
    const terminal = new Terminal(query, { rows: 12 });
    await terminal.until(/\n:/);
    expect(terminal.shown).not.toContain("40 rows");
    // less may discard the key that follows Ctrl-C.
    terminal.type("\u0003\r\r");
    await terminal.until(/\n:/);
    terminal.type("q");
    expect(await terminal.ended()).toBe(0);
    expect(terminal.shown).toMatch(/40 rows\r\n$/);
    // It neither switched to another screen nor back.
    expect(terminal.shown).not.toContain("\u001b[?1049");
  });

  it("is the default, and cuts long lines only if lines may be long", () => {
    expect(pagerCommand(false, {})).toBe("less -FRX");
    expect(pagerCommand(true, {})).toBe("less -FRSX");
  });
});

it("a pipe needs no pager", async () => {
  const { code, stdout } = await census([...query, "--output", "table"], { env: { PAGER: "false" } });
  expect(code).toBe(0);
  expect(stdout.split("\n")).toHaveLength(45);
});

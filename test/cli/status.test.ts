import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createAuthority } from "#test/certificates.ts";
import { connect } from "#test/app/durability/client.ts";
import { a } from "#test/fixture-store.ts";
import { census, startServer, workFolder } from "./census.ts";

const folder = workFolder();

interface Printed {
  readonly state: string;
  readonly [figure: string]: unknown;
}

async function status(...words: string[]): Promise<{ code: number | null; printed: Printed; stderr: string }> {
  const { code, stdout, stderr } = await census(["status", ...words]);
  return { code, printed: JSON.parse(stdout) as Printed, stderr };
}

/** A server that answers everything the same. */
async function answering(code: number, body: string): Promise<{ url: string; close: () => void }> {
  const server = createServer((_, response) => response.writeHead(code).end(body));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, close: () => server.close() };
}

function file(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

describe("census status", () => {
  it("of a running server prints its health, and exits with 0", async () => {
    const data = join(folder, "data");
    const server = await startServer(["serve", "--data", data, "--port", "0", "--now", "2026-11-21T00:00:00Z"]);
    try {
      const connection = connect(server.url);
      for (const name of ["one", "two", "gone"]) await connection.post(a.facts(name), 60);
      await connection.post(a.deactivation("gone", "2026-11-20T20:00:00Z"), 60);
      await connection.post({ ...a.facts("broken"), payload: "no JSON" }, 60);
      connection.close();

      const { code, printed, stderr } = await status("--url", server.url, "--data", data);
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      expect(printed).toMatchObject({
        url: server.url,
        state: "running",
        problem: null,
        version: expect.stringMatching(/^\d+\.\d+\.\d+$/) as string,
        interface_version: "8.8.1",
        running_since: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as string,
        active_nodes: 2,
        inactive_nodes: 1,
        history_changes: 4,
        history_bytes: expect.any(Number) as number,
        queue_depth: 0,
        awaiting_retry: 0,
        dead_letters: 1,
        disk_free_bytes: expect.any(Number) as number,
        directory: { path: data, dead_letters: 1, database_written: expect.any(String) as string },
      });

      const table = await census(["status", "--url", server.url, "--output", "table"]);
      expect(table.code).toBe(0);
      const [sentence, ...lines] = table.stdout.trimEnd().split("\n");
      expect(sentence).toBe(`Census on ${server.url} is running`);
      expect(lines).toContain("nodes          2 active, 1 inactive");
      expect(lines).toContainEqual(expect.stringMatching(/^history {8}4 changes, \d+ kB$/));
      expect(lines).toContain("queue          0 commands, 0 awaiting retry");
      expect(lines).toContain("dead letters   1 (see census dead-letters list)");
    } finally {
      expect(await server.stop()).toBe(0);
    }

    // The server was stopped, but its directory still shows its contents.
    const after = await status("--url", server.url, "--data", data);
    expect(after.code).toBe(1);
    expect(after.printed).toMatchObject({
      state: "unreachable",
      problem: "connection refused",
      queue_depth: null,
      directory: { queue_bytes: 0, database_log_bytes: 0, dead_letters: 1 },
    });
    const { code, stdout } = await census(["status", "--url", server.url, "--output", "table"]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^Census on \S+ is unreachable: connection refused\n$/);
  });

  it("sends a certificate to a server that requires one", async () => {
    const authority = createAuthority("Site CA");
    const server = authority.issue({ name: "census.example.com", at: ["localhost", "127.0.0.1"] });
    const client = authority.issue({ name: "monitoring.example.com" });
    const ca = file("ca.pem", authority.cert);
    const own = ["--ssl-cert", file("cert.pem", server.cert), "--ssl-key", file("key.pem", server.key)];
    const options = [...own, "--ssl-ca-cert", ca, "--ssl-host", "127.0.0.1", "--ssl-port", "0", "--port", "0"];
    const running = await startServer(["serve", "--memory", ...options]);
    const url = / and (https:\S+)/.exec(running.said())?.[1] ?? "";
    try {
      const shown = ["--cert", file("me.pem", client.cert), "--key", file("me.key", client.key)];
      const known = await status("--url", url, ...shown, "--cacert", ca);
      expect({ code: known.code, state: known.printed.state }).toEqual({ code: 0, state: "running" });
      // Beside TLS metrics need a certificate; the status of any client has these figures nevertheless, without a warning in the log.
      const plain = await status("--url", running.url);
      expect(plain).toMatchObject({
        code: 0,
        printed: { active_nodes: 0, dead_letters: 0, version: expect.any(String) as string },
      });
      expect(running.said()).not.toContain("without a certificate");
      const unknown = await status("--url", url, "--cacert", ca);
      expect({ code: unknown.code, state: unknown.printed.state }).toEqual({ code: 1, state: "unreachable" });
    } finally {
      expect(await running.stop()).toBe(0);
    }
  });

  it.each<[what: string, code: number, body: string, printed: Partial<Printed>]>([
    ["a service that starts", 503, '{"state":"starting","status":{"queue_depth":null}}', { state: "starting" }],
    ["a store that cannot be written", 503, '{"state":"error","status":{"queue_depth":7}}', { queue_depth: 7 }],
    ["another program", 200, "<html>", { state: "unknown", problem: expect.stringContaining("200") as string }],
    [
      "a server that denies access",
      403,
      "Forbidden",
      { state: "unknown", problem: expect.stringContaining("403") as string },
    ],
  ])("exits with 1 for %s", async (_what, answered, body, expected) => {
    const server = await answering(answered, body);
    try {
      const { code, printed } = await status("--url", server.url);
      expect(code).toBe(1);
      expect(printed).toMatchObject({ ...expected, version: null, active_nodes: null });
    } finally {
      server.close();
    }
  });

  it("waits no longer than its timeout", async () => {
    const silent = createServer(() => undefined).listen(0, "127.0.0.1");
    await once(silent, "listening");
    const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    const { code, printed } = await status("--url", url, "--timeout", "0.2");
    expect({ code, state: printed.state }).toEqual({ code: 1, state: "unreachable" });
    silent.close();
    silent.closeAllConnections();
  });

  it.each<[words: string[], line: RegExp]>([
    [["--data", join(folder, "nothing")], /nothing: not a data directory of a server$/],
    [["--url", "https://127.0.0.1:1", "--cacert", join(folder, "nothing")], /--cacert: \S+nothing does not exist$/],
  ])("names what does not exist: %j", async (words, line) => {
    const { code, stdout, stderr } = await census(["status", ...words]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr.trimEnd()).toMatch(line);
  });
});

import { setTimeout as pause } from "node:timers/promises";
import { beforeAll, describe, expect, it } from "vitest";
import type { Running } from "#test/running.ts";
import { census, SAMPLE, startServer } from "./census.ts";
import { hasTerminals, Terminal } from "./terminal.ts";

const SAMPLE_REPORTS = `"count":${(JSON.parse((await census(["query", "reports[count()] {}", "--archive", SAMPLE])).stdout) as { count: number }[])[0]?.count ?? 0}`;

let server: Running;

beforeAll(async () => {
  server = await startServer(["serve", "--memory", "--port", "0", "--node-ttl", "0s"]);
  const { code, stderr } = await census(["import", SAMPLE, "--url", server.url]);
  if (code !== 0) throw new Error(stderr);
  // The server stores the archive after it has received it.
  while (!(await run("query", "reports[count()] {}")).stdout.includes(SAMPLE_REPORTS)) await pause(200);
  return async () => server.stop();
});

async function run(...words: string[]): ReturnType<typeof census> {
  return census([...words, "--url", server.url]);
}

async function state(certname: string): Promise<unknown> {
  const query = `nodes[deactivated] { certname = "${certname}" and node_state = "any" }`;
  const [node] = JSON.parse((await run("query", query)).stdout) as { deactivated: string | null }[];
  return node === undefined ? "gone" : node.deactivated === null ? "active" : "deactivated";
}

const [ONE, OTHER] = ["berth-0006.tollhouse.saltmarsh.example", "berth-0015.tollhouse.saltmarsh.example"];

describe("a server", () => {
  it("deactivates nodes by their short names, and waits until it has", async () => {
    expect(await run("deactivate", "berth-0006", OTHER, "--yes")).toStrictEqual({
      code: 0,
      stdout: `Deactivated ${ONE}\nDeactivated ${OTHER}\n`,
      stderr: "",
    });
    expect([await state(ONE), await state(OTHER)]).toStrictEqual(["deactivated", "deactivated"]);
  });

  it("deletes nodes with all their data", async () => {
    expect(await run("delete", OTHER, "--yes")).toStrictEqual({ code: 0, stdout: `Deleted ${OTHER}\n`, stderr: "" });
    expect(await state(OTHER)).toBe("gone");
  });

  it("changes nothing for a list with a node that it does not have", async () => {
    const { code, stderr } = await run("delete", "crane-0002", "crane-0003", "--yes");
    expect({ code, stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('unknown certname "crane-0003"'),
    });
    expect(await state("crane-0002.langsand.saltmarsh.example")).toBe("active");
  });

  it("runs its maintenance, all or some of it", async () => {
    expect(await run("clean", "--yes")).toMatchObject({ code: 0, stdout: `Ran all maintenance on ${server.url}\n` });
    const some = await run("clean", "expire_nodes", "gc_packages", "--yes");
    expect(some).toMatchObject({ code: 0, stdout: `Ran expire_nodes, gc_packages on ${server.url}\n` });
    const { code, stderr } = await run("clean", "purge_node", "--yes");
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining("did you mean purge_nodes?") });
  });

  it.each([["deactivate", "crane-0002"], ["delete", "crane-0002"], ["clean"]])(
    "%s needs --yes in a pipe",
    async (...words) => {
      const { code, stderr } = await run(...words);
      expect({ code, stderr }).toMatchObject({
        code: 2,
        stderr: expect.stringContaining("needs --yes when there is no terminal"),
      });
    },
  );

  it.skipIf(!hasTerminals("confirmation"))("asks on a terminal, and changes nothing if the answer is no", async () => {
    const terminal = new Terminal(["delete", "crane-0002", "--url", server.url], {});
    await terminal.until("Delete all data of crane-0002.langsand.saltmarsh.example");
    terminal.type("n");
    expect(await terminal.ended()).toBe(1);
    expect(await state("crane-0002.langsand.saltmarsh.example")).toBe("active");
  });
});

import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { JsonObject } from "#storage/json.ts";
import type { CommandName } from "#storage/wire/commands.ts";
import { isLeftOut, RESTRICTED_MACHINE } from "#test/left-out.ts";
import { byLength } from "#test/length.ts";
import { catalog, event, fileResource, inputs, log, report, reportResource } from "#test/storage/wire/payloads.ts";
import { controlGroupProblem } from "./control-group.ts";
import { commandPath, type LimitedServer, startLimited } from "./limited-server.ts";

/*
 * Logs, events, parameters and catalog inputs of megabytes on many nodes, in a control group: everything stored can be read,
 * exported and deleted.
 */

const NOW = "2026-11-20T12:00:00Z";
const MEGABYTES = 512;
const NODES = byLength({ short: 8, long: 20 });
/** Characters of a text. */
const LENGTH = 5_000_000;
const TIMEOUT = 600_000;
const nodes = Array.from({ length: NODES }, (_, node) => node);
const isSkipped = isLeftOut("long values in limited memory", await controlGroupProblem(), RESTRICTED_MACHINE);

function certnameOf(node: number): string {
  return `node-${String(node).padStart(2, "0")}`;
}

/** A long text that only one node has. */
function textOf(kind: string, node: number): string {
  return "".padEnd(LENGTH, `${kind} of ${certnameOf(node)}, `);
}

/** Texts that a response lacks. */
function missingIn(response: Buffer, kinds: readonly string[]): string[] {
  const texts = kinds.flatMap((kind) => nodes.map((node) => `, ${kind} of ${certnameOf(node)}, `));
  return texts.filter((text) => !response.includes(text));
}

describe.skipIf(isSkipped)(`${NODES} nodes with texts of 5 MB, in ${MEGABYTES} MB`, () => {
  let server: LimitedServer;
  beforeAll(async () => {
    server = await startLimited(MEGABYTES, NOW);
    for (let node = 0; node < NODES; node++) {
      const about = { certname: certnameOf(node), producer_timestamp: NOW };
      const post = async (command: CommandName, version: number, payload: JsonObject): Promise<void> => {
        const path = commandPath(command, version, about.certname);
        let response = await server.send("POST", path, JSON.stringify(payload));
        // A client waits where there is no memory for its command yet.
        for (let left = 10; response.status === 503 && left > 0; left--)
          response = await server.send("POST", path, JSON.stringify(payload));
        await server.checkStatus(response, [200]);
      };
      const content = { content: textOf("parameter", node), owner: "root" };
      const changed = event({ old_value: textOf("event", node), timestamp: NOW });
      const resource = fileResource({ title: `/etc/${about.certname}`, parameters: content });
      await post("replace catalog", 9, catalog({ ...about, resources: [resource], edges: [] }));
      await post("replace catalog inputs", 1, inputs({ ...about, inputs: [["hiera", textOf("input", node)]] }));
      const resources = [reportResource({ events: [changed] })];
      const logs = [log({ message: textOf("log", node) })];
      await post("store report", 8, report({ ...about, start_time: NOW, end_time: NOW, logs, resources }));
    }
    await server.settled();
  }, TIMEOUT);
  afterAll(() => server.stop());

  it.each<[entity: string, kinds: string[]]>([
    ["reports", ["log", "event"]],
    ["events", ["event"]],
    ["resources", ["parameter"]],
    ["catalogs", ["parameter"]],
    ["catalog-inputs", ["input"]],
    ["catalog-input-contents", ["input"]],
  ])("returns all of /%s", { timeout: TIMEOUT }, async (entity, kinds) => {
    const response = await server.read(`/pdb/query/v4/${entity}`);
    expect(response.length).toBeGreaterThan(NODES * kinds.length * LENGTH);
    expect(missingIn(response, kinds)).toEqual([]);
    await server.checkAlive();
  });

  it("answers queries for one of them, and for what is short", { timeout: TIMEOUT }, async () => {
    const one = ["=", "certname", certnameOf(NODES - 1)];
    // A difference between texts of megabytes could not be printed.
    const [stored] = await server.rows("resources", one);
    expect(JSON.stringify(stored).includes(textOf("parameter", NODES - 1))).toBe(true);
    const [newest] = await server.rows("reports", one);
    expect(JSON.stringify(newest).includes(textOf("log", NODES - 1))).toBe(true);
    expect(
      (await server.rows("resources", ["~", ["parameter", "content"], `parameter of ${certnameOf(NODES - 1)}, .*`]))
        .length,
    ).toBe(1);
    const short = ["extract", ["certname", "status"]];
    expect(await server.rows("reports", short)).toHaveLength(NODES);
    expect(await server.rows("events", ["extract", [["function", "count"]]])).toEqual([{ count: NODES }]);
  });

  it("exports them", { timeout: TIMEOUT }, async () => {
    const archive = gunzipSync(await server.read("/pdb/admin/v1/archive"));
    expect(missingIn(archive, ["log", "event", "parameter", "input"])).toEqual([]);
    await server.checkAlive();
  });

  it("deletes them", { timeout: TIMEOUT }, async () => {
    const send = async (command: string, payload: unknown): Promise<void> => {
      const body = JSON.stringify({ command, version: 1, payload });
      await server.checkStatus(await server.send("POST", "/pdb/admin/v1/cmd", body), [200]);
    };
    for (let node = 1; node < NODES; node++) await send("delete", { certname: certnameOf(node) });
    await send("clean", []);
    for (const entity of ["reports", "resources", "catalog-inputs"]) {
      expect(await server.rows(entity, ["extract", "certname"])).toEqual([{ certname: certnameOf(0) }]);
    }
    await server.checkAlive();
  });
});

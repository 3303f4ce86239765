import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isLeftOut, RESTRICTED_MACHINE } from "#test/left-out.ts";
import { controlGroupProblem } from "./control-group.ts";
import { commandPath, type LimitedServer, startLimited } from "./limited-server.ts";

/*
 * Values of megabytes on many nodes, in a control group: everything stored can be read, exported and deleted.
 * TEST_MEMORY_FACTS says on how many nodes.
 */

const NOW = "2026-11-20T12:00:00Z";
const MEGABYTES = 512;
const NODES = Number(process.env["TEST_MEMORY_FACTS"] ?? "30");
/** Characters of a value. */
const LENGTH = 5_000_000;
const TIMEOUT = 600_000;
const isSkipped = isLeftOut("long values in limited memory", await controlGroupProblem(), RESTRICTED_MACHINE);

function certnameOf(node: number): string {
  return `node-${String(node).padStart(2, "0")}`;
}

function valueOf(node: number): string {
  return `value of ${certnameOf(node)}, `.repeat(LENGTH).slice(0, LENGTH);
}

describe.skipIf(isSkipped)(`${NODES} nodes with a fact of 5 MB each, in ${MEGABYTES} MB`, () => {
  let server: LimitedServer;
  beforeAll(async () => {
    server = await startLimited(MEGABYTES, NOW);
    for (let node = 0; node < NODES; node++) {
      const certname = certnameOf(node);
      const values = { kernel: "Linux", long: valueOf(node), name: certname };
      const facts = { certname, environment: "production", producer_timestamp: NOW, producer: "compiler", values };
      const path = commandPath("replace facts", 5, certname);
      await server.checkStatus(await server.send("POST", path, JSON.stringify(facts)), [200]);
    }
    await server.settled();
  }, TIMEOUT);
  afterAll(() => server.stop());

  it.each(["facts", "factsets", "inventory"])("answers /%s", { timeout: TIMEOUT }, async (entity) => {
    const body = await server.read(`/pdb/query/v4/${entity}`);
    expect(body.length).toBeGreaterThan(NODES * LENGTH);
    for (let node = 0; node < NODES; node++) expect(body.includes(`, value of ${certnameOf(node)}, `)).toBe(true);
    await server.checkAlive();
  });

  it("answers queries for one of them, and for what is short", { timeout: TIMEOUT }, async () => {
    const where = ["and", ["=", "certname", certnameOf(7)], ["=", "name", "long"]];
    expect(await server.rows("facts", where)).toMatchObject([{ value: valueOf(7) }]);
    expect(await server.rows("facts", ["=", "name", "kernel"])).toHaveLength(NODES);
    expect(await server.rows("facts", ["extract", [["function", "count"]]])).toEqual([{ count: NODES * 3 }]);
  });

  it("exports them", { timeout: TIMEOUT }, async () => {
    const packed = await server.read("/pdb/admin/v1/archive");
    const unpacked = gunzipSync(packed);
    expect(unpacked.length).toBeGreaterThan(NODES * LENGTH);
    for (let node = 0; node < NODES; node++) expect(unpacked.includes(`, value of ${certnameOf(node)}, `)).toBe(true);
    await server.checkAlive();
  });

  it("replaces and deletes them", { timeout: TIMEOUT }, async () => {
    const facts = {
      certname: certnameOf(0),
      environment: "production",
      producer: "compiler",
      values: { kernel: "Linux" },
    };
    const later = JSON.stringify({ ...facts, producer_timestamp: "2026-11-20T12:00:01Z" });
    await server.checkStatus(await server.send("POST", commandPath("replace facts", 5, certnameOf(0)), later), [200]);
    await server.settled();
    for (let node = 1; node < NODES; node++) {
      const command = { command: "delete", version: 1, payload: { certname: certnameOf(node) } };
      await server.checkStatus(await server.send("POST", "/pdb/admin/v1/cmd", JSON.stringify(command)), [200]);
    }
    expect(await server.rows("facts")).toMatchObject([{ certname: certnameOf(0), name: "kernel" }]);
    await server.checkAlive();
  });
});

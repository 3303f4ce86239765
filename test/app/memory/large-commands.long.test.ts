import { setTimeout as delay } from "node:timers/promises";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { stringifyJson } from "#storage/json.ts";
import type { CommandName } from "#storage/wire/commands.ts";
import { isLeftOut, RESTRICTED_MACHINE } from "#test/left-out.ts";
import { catalog, event, facts, fileResource, report, reportResource } from "#test/storage/wire/payloads.ts";
import { controlGroupProblem } from "./control-group.ts";
import { commandPath, type LimitedServer, type Received, startLimited } from "./limited-server.ts";

/*
 * Commands of 40 MB and a report of 35 MB, the largest that the documentation promises for this memory, in a control group.
 * Their texts have a character beyond Latin-1, so that each takes two bytes a character as a string.
 */

const NOW = "2026-11-20T12:00:00Z";
const MEGABYTES = 512;
const TEXTS = 5;
const LENGTH = 8_000_000;
const REPORT_LENGTH = 7_000_000;
const TIMEOUT = 600_000;
const isSkipped = isLeftOut("large commands in limited memory", await controlGroupProblem(), RESTRICTED_MACHINE);

const lengthOf = (of: string): number => (of === "report" ? REPORT_LENGTH : LENGTH);
const text = (of: string, index: number): string => `世${`${of} ${index}, `.repeat(LENGTH / 8)}`.slice(0, lengthOf(of));
const texts = (of: string): string[] => Array.from({ length: TEXTS }, (_, index) => text(of, index));
const hasEach = (body: Buffer, of: string): boolean =>
  body.length > TEXTS * lengthOf(of) && texts(of).every((each) => body.includes(each.slice(0, 1000)));

/** A command of each kind that can be large. */
const commands = {
  facts: {
    command: "replace facts",
    version: 5,
    payload: (certname: string) =>
      facts({
        certname,
        producer_timestamp: NOW,
        values: Object.fromEntries(texts("facts").map((value, index) => [`big${index}`, value])),
      }),
  },
  catalog: {
    command: "replace catalog",
    version: 9,
    payload: (certname: string) =>
      catalog({
        certname,
        producer_timestamp: NOW,
        resources: texts("catalog").map((content, index) =>
          fileResource({ title: `/srv/${index}`, parameters: { content } }),
        ),
        edges: [],
      }),
  },
  report: {
    command: "store report",
    version: 8,
    payload: (certname: string) =>
      report({
        certname,
        producer_timestamp: NOW,
        start_time: NOW,
        end_time: NOW,
        logs: [],
        resources: texts("report").map((value, index) =>
          reportResource({ resource_title: `t${index}`, events: [event({ new_value: value, timestamp: NOW })] }),
        ),
      }),
  },
} as const satisfies Record<string, { command: CommandName; version: number; payload: (certname: string) => object }>;

describe.skipIf(isSkipped)(`commands of 40 MB in ${MEGABYTES} MB`, () => {
  let server: LimitedServer;
  beforeAll(async () => {
    server = await startLimited(MEGABYTES, NOW);
  }, TIMEOUT);
  afterAll(() => server.stop());

  async function post(kind: keyof typeof commands, certname: string = kind): Promise<Received> {
    const { command, version, payload } = commands[kind];
    return server.send("POST", commandPath(command, version, certname), stringifyJson(payload(certname)));
  }

  async function read(path: string): Promise<Buffer> {
    const response = await server.send("GET", path);
    await server.checkStatus(response, [200]);
    return response.body;
  }

  it("are accepted one after another, and stored", { timeout: TIMEOUT }, async () => {
    // The second one is received while the first is prepared.
    for (const kind of ["facts", "catalog", "report"] as const) await server.checkStatus(await post(kind), [200]);
    await server.settled();
    expect(await server.rows("nodes")).toHaveLength(3);
  });

  it.each<[kind: keyof typeof commands, entity: string]>([
    ["facts", "factsets"],
    ["facts", "inventory"],
    ["facts", "facts"],
    ["catalog", "catalogs"],
    ["catalog", "resources"],
    ["report", "reports"],
    ["report", "events"],
  ])("of %s are returned at /%s", { timeout: TIMEOUT }, async (kind, entity) => {
    expect(hasEach(await read(`/pdb/query/v4/${entity}`), kind)).toBe(true);
    await server.checkAlive();
  });

  it("allow other requests while 300 clients do not read them", { timeout: TIMEOUT }, async () => {
    const idlers = ["factsets", "facts", "inventory"].flatMap((entity) =>
      server.idlers(100, `/pdb/query/v4/${entity}`),
    );
    await delay(5000);
    const query = encodeURIComponent(JSON.stringify(["=", "name", "none"]));
    const other = await server.send("GET", `/pdb/query/v4/facts?query=${query}`);
    await server.checkAlive();
    for (const idler of idlers) idler.destroy();
    expect([200, 503]).toContain(other.status);
  });

  it("are exported", { timeout: TIMEOUT }, async () => {
    const archive = gunzipSync(await read("/pdb/admin/v1/archive"));
    for (const kind of Object.keys(commands)) expect(hasEach(archive, kind)).toBe(true);
    await server.checkAlive();
  });

  it("are stored after a kill during storing", { timeout: TIMEOUT }, async () => {
    await server.checkStatus(await post("catalog", "killed"), [200]);
    await server.kill();
    await server.settled();
    expect(await server.rows("catalogs", ["extract", "certname", ["=", "certname", "killed"]])).toHaveLength(1);
    expect(await server.rows("resources", ["extract", "title", ["=", "certname", "killed"]])).toHaveLength(TEXTS);
    await server.checkAlive();
  });

  it("are deleted", { timeout: TIMEOUT }, async () => {
    for (const certname of ["facts", "catalog", "report", "killed"]) {
      const body = JSON.stringify({ command: "delete", version: 1, payload: { certname } });
      await server.checkStatus(await server.send("POST", "/pdb/admin/v1/cmd", body), [200]);
    }
    expect(await server.rows("nodes")).toEqual([]);
    await server.checkAlive();
  });
});

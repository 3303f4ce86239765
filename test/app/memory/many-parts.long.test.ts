import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type JsonObject, stringifyJson } from "#storage/json.ts";
import type { CommandName } from "#storage/wire/commands.ts";
import { isLeftOut, RESTRICTED_MACHINE } from "#test/left-out.ts";
import {
  catalog,
  edge,
  event,
  facts,
  fileResource,
  inputs,
  log,
  report,
  reportResource,
} from "#test/storage/wire/payloads.ts";
import { controlGroupProblem } from "./control-group.ts";
import { commandPath, type LimitedServer, startLimited } from "./limited-server.ts";

/*
 * Commands of as many small parts as this memory allows, each kind of part in turn: a row of small values takes more memory
 * for its bytes than a long text does.
 */

const NOW = "2026-11-20T12:00:00Z";
const MEGABYTES = 512;
const TIMEOUT = 600_000;
const isSkipped = isLeftOut(
  "commands of many parts in limited memory",
  await controlGroupProblem(),
  RESTRICTED_MACHINE,
);

const LINES = 130_000;

const times = { producer_timestamp: NOW, start_time: NOW, end_time: NOW };
const numbered = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

const reportOf = (certname: string, parts: JsonObject): JsonObject =>
  report({ ...times, certname, logs: [], resources: [], ...parts });

interface Case {
  readonly command: CommandName;
  readonly version: number;
  readonly payload: (certname: string) => JsonObject;
  /** Where its parts are counted, and how many there are. */
  readonly counted: readonly [entity: string, parts: number];
}

const cases: Readonly<Record<string, Case>> = {
  "events of as many resources": {
    command: "store report",
    version: 8,
    payload: (certname) =>
      reportOf(certname, {
        resources: numbered(60_000, (index) =>
          reportResource({
            resource_title: `t${index}`,
            events: [event({ new_value: String(index), timestamp: NOW })],
          }),
        ),
      }),
    counted: ["events", 60_000],
  },
  "events of few resources": {
    command: "store report",
    version: 8,
    payload: (certname) =>
      reportOf(certname, {
        resources: numbered(4, (resource) =>
          reportResource({
            resource_title: `t${resource}`,
            events: numbered(30_000, (index) => event({ property: `p${index}`, timestamp: NOW })),
          }),
        ),
      }),
    counted: ["events", 120_000],
  },
  "log lines": {
    command: "store report",
    version: 8,
    payload: (certname) =>
      reportOf(certname, { logs: numbered(LINES, (index) => log({ message: String(index), time: NOW })) }),
    counted: ["reports", 1],
  },
  "catalog inputs": {
    command: "replace catalog inputs",
    version: 1,
    payload: (certname) =>
      inputs({ certname, producer_timestamp: NOW, inputs: numbered(400_000, (index) => ["hiera", `key::${index}`]) }),
    counted: ["catalog-input-contents", 400_000],
  },
  "resources and edges": {
    command: "replace catalog",
    version: 9,
    payload: (certname) => {
      const resources = numbered(50_000, (index) =>
        fileResource({ title: `/t${index}`, parameters: { mode: "0644" } }),
      );
      const ends = resources.map(({ title }) => ({ type: "File", title: title ?? null }));
      const edges = ends.slice(1).map((target, index) => edge({ source: ends[index] ?? null, target }));
      return catalog({ certname, producer_timestamp: NOW, resources, edges });
    },
    counted: ["edges", 49_999],
  },
  facts: {
    command: "replace facts",
    version: 5,
    payload: (certname) => {
      const values = numbered(150, (fact) => [`f${fact}`, numbered(1000, (index) => index)] as const);
      return facts({ certname, producer_timestamp: NOW, values: Object.fromEntries(values) });
    },
    counted: ["fact-contents", 150_000],
  },
};

describe.skipIf(isSkipped)(`commands of many parts in ${MEGABYTES} MB`, () => {
  let server: LimitedServer;
  beforeAll(async () => {
    server = await startLimited(MEGABYTES, NOW);
  }, TIMEOUT);
  afterAll(() => server.stop());

  it.each(Object.keys(cases))("%s are stored", { timeout: TIMEOUT }, async (name) => {
    const { command, version, payload, counted } = cases[name] as Case;
    const certname = name.replaceAll(" ", "-");
    const [entity, parts] = counted;
    const body = stringifyJson(payload(certname));
    await server.checkStatus(await server.send("POST", commandPath(command, version, certname), body), [200]);
    await server.settled();
    const rows = ["extract", [["function", "count"]], ["=", "certname", certname]];
    expect(await server.rows(entity, rows)).toEqual([{ count: parts }]);
    await server.checkAlive();
  });

  it("log lines are all returned", { timeout: TIMEOUT }, async () => {
    const query = ["extract", ["logs"], ["=", "certname", "log-lines"]];
    const [{ logs } = {}] = (await server.rows("reports", query)) as { logs?: { data: { message: string }[] } }[];
    expect(logs?.data.map(({ message }) => message)).toEqual(numbered(LINES, String));
    await server.checkAlive();
  });
});

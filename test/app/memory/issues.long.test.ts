import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { IssueDetail, Issues } from "#storage/issues/issue.ts";
import { isLeftOut, RESTRICTED_MACHINE } from "#test/left-out.ts";
import { byLength } from "#test/length.ts";
import { apiPath } from "#test/app/explorer/api-path.ts";
import { event, log, report, reportResource } from "#test/storage/wire/payloads.ts";
import { controlGroupProblem } from "./control-group.ts";
import { commandPath, type LimitedServer, startLimited } from "./limited-server.ts";

/*
 * Failed reports whose logs and events have megabytes, in a control group: the endpoint of issues reads all of them.
 */

const NOW = "2026-11-20T12:00:00Z";
const MEGABYTES = 512;
const NODES = byLength({ short: 8, long: 20 });
const TIMEOUT = 600_000;
/** Characters of the logs of a report, and of its events. */
const LENGTH = 5_000_000;
/** Characters of one of their lines. */
const LINE = 500;
const isSkipped = isLeftOut("long failures in limited memory", await controlGroupProblem(), RESTRICTED_MACHINE);

function certnameOf(node: number): string {
  return `node-${String(node).padStart(2, "0")}`;
}

/** A text of that length that only one node has. */
function textOf(kind: string, node: number, length: number): string {
  const part = `${kind} on ${certnameOf(node)}, `;
  return part.repeat(Math.ceil(length / part.length)).slice(0, length);
}

function at(minute: number): string {
  return `2026-11-20T11:${String(minute).padStart(2, "0")}:00Z`;
}

/** Each node has reports of three kinds: many lines, one long line, many failed events. */
function reportsOf(node: number): ReturnType<typeof report>[] {
  const common = (minute: number) => ({
    certname: certnameOf(node),
    producer_timestamp: at(minute),
    start_time: at(minute),
    end_time: at(minute),
    status: "failed",
  });
  const lines = Array.from({ length: LENGTH / LINE }, () =>
    log({ level: "err", source: "Puppet", message: textOf("many lines", node, LINE) }),
  );
  const long = [log({ level: "err", source: "Puppet", message: textOf("one line", node, LENGTH) })];
  const resources = Array.from({ length: 10 }, (_, place) =>
    reportResource({
      resource_title: `/etc/${place}`,
      events: [event({ status: "failure", timestamp: at(3), message: textOf("an event", node, LENGTH / 10) })],
    }),
  );
  return [
    report({ ...common(1), logs: lines, resources: [] }),
    report({ ...common(2), logs: long, resources: [] }),
    report({ ...common(3), logs: [], resources }),
  ];
}

describe.skipIf(isSkipped)(`failed reports of ${NODES} nodes with 5 MB each, in ${MEGABYTES} MB`, () => {
  let server: LimitedServer;
  beforeAll(async () => {
    server = await startLimited(MEGABYTES, NOW);
    for (let node = 0; node < NODES; node++) {
      const path = commandPath("store report", 8, certnameOf(node));
      for (const payload of reportsOf(node)) {
        let response = await server.send("POST", path, JSON.stringify(payload));
        // A client waits where there is no memory for its command yet.
        for (let left = 10; response.status === 503 && left > 0; left--)
          response = await server.send("POST", path, JSON.stringify(payload));
        await server.checkStatus(response, [200]);
      }
    }
    await server.settled();
  }, TIMEOUT);
  afterAll(() => server.stop());

  async function read<T>(endpoint: string): Promise<T> {
    const response = await server.send("GET", apiPath(endpoint, { last: "24h" }));
    await server.checkStatus(response, [200]);
    return JSON.parse(response.body.toString()) as T;
  }

  it("are listed as issues, and each issue is shown", { timeout: TIMEOUT }, async () => {
    const { issues } = await read<Issues>("issues");
    const found = issues.map(({ kind, title, nodes }) => ({ kind, title, nodes }));
    const ofEvents = Array.from({ length: 10 }, (_, place) => ({
      kind: "resource",
      title: `/etc/${place}`,
      nodes: NODES,
    }));
    const ofLines = Array.from({ length: 2 }, () => ({ kind: "run", title: null, nodes: NODES }));
    expect(found).toHaveLength(12);
    expect(found).toEqual(expect.arrayContaining([...ofEvents, ...ofLines]));
    await server.checkAlive();
    for (const { id, message } of issues) {
      const detail = await read<IssueDetail>(`issues/${id}`);
      expect(detail.nodes).toHaveLength(NODES);
      expect(detail.messages).toHaveLength(NODES);
      expect(detail.messages[0]?.message.slice(0, 8)).toBe(message.slice(0, 8));
    }
    await server.checkAlive();
  });
});

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Store } from "#storage/store.ts";
import { queryPath, serve, type Served } from "#test/app/fixture-service.ts";
import {
  command,
  emptyStore,
  population,
  populatedStore,
  submitted,
  type TextSubmission,
  time,
} from "#test/fixture-store.ts";
import * as payloads from "#test/storage/wire/payloads.ts";
import { apiPath } from "./api-path.ts";

let older: Store;
let served: Served;
let alone: Served;

beforeAll(async () => {
  older = await populatedStore();
  const newer = await emptyStore();
  // The node beta is gone, omega has come, and alpha has one more fact and other uptimes.
  await submitted(newer, ...population.filter((each) => JSON.parse(each.payload as string).certname !== "beta"));
  const producer_timestamp = "2026-11-20T23:00:00Z";
  const received = time(producer_timestamp);
  const values = { kernel: "Linux", fresh: "<b>yes</b>", uptime_days: 9 };
  await submitted(
    newer,
    command("replace facts", payloads.facts({ certname: "omega", producer_timestamp, values }), received),
    command("replace facts", payloads.facts({ certname: "alpha", producer_timestamp, values }), received),
  );
  // Only the packages of sigma differ.
  const sigma = (...package_inventory: string[][]): TextSubmission =>
    command(
      "replace facts",
      payloads.facts({ certname: "sigma", producer_timestamp, values: { kernel: "Linux" }, package_inventory }),
      received,
    );
  await submitted(older, sigma(["openssl", "3.0.1-1", "apt"], ["sudo", "1.9", "apt"], ["rails", "8.0", "gem"]));
  await submitted(newer, sigma(["openssl", "3.0.2-1", "apt"], ["sudo", "1.9", "apt"], ["rails", "8.0", "apt"]));
  served = await serve(newer, {
    source: { kind: "archive", name: "new.tgz" },
    against: { store: older, name: "old.tgz" },
  });
  alone = await serve(await emptyStore());
});

afterAll(async () => {
  await served.close();
  await older.close();
  await alone.close();
});

interface Compared {
  readonly nodes: Readonly<Record<string, number>>;
  readonly volatile: number;
  readonly different: readonly { readonly kind: string; readonly certname: string; readonly counts: object }[];
  readonly common: readonly { readonly place: string }[];
}

async function compared(parameters: Record<string, string> = {}): Promise<Compared> {
  const { status, text } = await served.get(apiPath("archive-comparison", parameters));
  expect(status).toBe(200);
  return JSON.parse(text) as Compared;
}

function places({ common }: Compared): string[] {
  return common.map(({ place }) => place);
}

/** What `about` says of the other archive. */
async function comparedWith(from: Served): Promise<unknown> {
  const { text } = await from.get(apiPath("about", {}));
  return (JSON.parse(text) as { against: unknown }).against;
}

describe("the comparison with an older archive", () => {
  it("counts the nodes that came, went and changed, and names them", async () => {
    const { nodes, different, common } = await compared();
    expect(different.map(({ kind, certname }) => `${kind} ${certname}`)).toEqual([
      "changed alpha",
      "removed beta",
      "added omega",
      "changed sigma",
    ]);
    expect(nodes).toMatchObject({ changed: 2, removed: 1, added: 1 });
    expect(common.map(({ place }) => place)).toContain("fresh");
  });

  it("counts packages that differ, also of a node of which nothing else differs", async () => {
    const { nodes, different, common } = await compared();
    const one = JSON.parse((await served.get(apiPath("archive-comparison/node", { certname: "alpha" }))).text) as {
      packages: readonly object[];
    };
    const counts = Object.fromEntries(different.map((node) => [node.certname, node.counts]));
    expect(counts["sigma"]).toStrictEqual({ packages: 3 });
    expect(counts["alpha"]).toMatchObject({ packages: one.packages.length });
    const inNewer = await served.get(queryPath("", { query: 'nodes[certname]{ node_state = "any" }' }));
    const { added, changed, same } = nodes;
    expect(Number(added) + Number(changed) + Number(same)).toBe((JSON.parse(inNewer.text) as unknown[]).length);
    expect(common).toContainEqual({
      part: "packages",
      kind: "changed",
      place: "openssl (apt)",
      nodes: 1,
      transitions: [{ from: "3.0.1-1", to: "3.0.2-1", nodes: 1 }],
    });
  });

  it("leaves out values that always differ unless they are wanted", async () => {
    const [without, withAll] = [await compared(), await compared({ volatile: "true" })];
    // uptime, which is gone, and uptime_days
    expect([without.volatile, withAll.volatile]).toEqual([2, 0]);
    expect([places(without).includes("uptime_days"), places(withAll).includes("uptime_days")]).toEqual([false, true]);
  });

  it.each([
    ["alpha", { kind: "changed", report: null }],
    ["beta", { kind: "removed", certname: "beta" }],
    ["omega", { kind: "added", certname: "omega" }],
    ["gamma", { kind: "same" }],
  ])("of the node %s", async (certname, expected) => {
    const { status, text } = await served.get(apiPath("archive-comparison/node", { certname }));
    expect(status).toBe(200);
    expect(JSON.parse(text)).toMatchObject(expected);
  });

  it("shows the packages that differ", async () => {
    const { text } = await served.get(apiPath("archive-comparison/node", { certname: "alpha" }));
    const { packages } = JSON.parse(text) as { packages: readonly { kind: string; path: readonly string[] }[] };
    expect(packages.every(({ kind }) => kind === "removed")).toBe(true);
    expect(packages.length).toBeGreaterThan(0);
  });

  it.each([
    ["a node that neither has", "archive-comparison/node", { certname: "nobody" }, 404, 'node "nobody" not found'],
    ["no node", "archive-comparison/node", {}, 400, "parameter 'certname' is missing"],
    ["another parameter", "archive-comparison", { limit: "1" }, 400, "unknown parameter 'limit'"],
    ["volatile neither true nor false", "archive-comparison", { volatile: "1" }, 400, "must be true or false"],
  ])("refuses %s", async (_, path, parameters, status, text) => {
    const answer = await served.get(apiPath(path, parameters));
    expect([answer.status, answer.headers["content-type"]]).toEqual([status, "text/plain;charset=utf-8"]);
    expect(answer.text).toContain(text);
  });

  it("is announced by about, with the other archive's time", async () => {
    expect(await comparedWith(served)).toEqual({ name: "old.tgz", now: "2026-11-21T00:00:00.000Z" });
    expect(await comparedWith(alone)).toBeNull();
  });

  it("needs two archives", async () => {
    const { status, text } = await alone.get(apiPath("archive-comparison", {}));
    expect(status).toBe(404);
    expect(text).toContain("census open NEW.tgz --against OLD.tgz");
  });
});

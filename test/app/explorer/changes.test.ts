import { once } from "node:events";
import { get as httpGet, type IncomingMessage } from "node:http";
import { get as httpsGet, type RequestOptions } from "node:https";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Service, startService } from "#app/service.ts";
import { as, openSite, type Site } from "#test/app/listeners/site.ts";
import { a, emptyStore, NOW, submitted } from "#test/fixture-store.ts";
import type { Store } from "#storage/store.ts";

const PATH = "/explorer/api/v1/changes";

/** The responses in progress, and the events that came so far. */
interface Following {
  readonly response: IncomingMessage;
  /** The data of the event with this number. */
  readonly event: (number: number) => Promise<{ revision: number; changed?: string[] }>;
  readonly ended: Promise<unknown>;
}

async function follow(url: string, options: RequestOptions = {}): Promise<Following> {
  const request = (url.startsWith("https:") ? httpsGet : httpGet)(`${url}${PATH}`, options);
  const [response] = (await once(request, "response")) as [IncomingMessage];
  let text = "";
  response.setEncoding("utf8").on("data", (piece: string) => (text += piece));
  return {
    response,
    ended: once(response, "close"),
    event: async (number) => {
      await expect.poll(() => dataOf(text).length).toBeGreaterThan(number);
      return JSON.parse(dataOf(text)[number] ?? "") as { revision: number; changed?: string[] };
    },
  };
}

function dataOf(events: string): string[] {
  return [...events.matchAll(/^data: (.*)$/gm)].map(([, data = ""]) => data);
}

let site: Site;
beforeAll(async () => {
  site = await openSite();
});
afterAll(() => site[Symbol.asyncDispose]());

async function serve(access: { allowlist?: string } = {}): Promise<AsyncDisposable & { store: Store; of: Service }> {
  const store = await emptyStore();
  const of = await startService({
    store,
    plain: { host: "127.0.0.1", port: 0 },
    tls: site.tls,
    access: { ...access, hosts: ["127.0.0.1"] },
  });
  return {
    store,
    of,
    [Symbol.asyncDispose]: async () => {
      await of.close();
      await store.close();
    },
  };
}

describe("the events of what changes", () => {
  it("name the entities whose rows changed, and no others", async () => {
    await using service = await serve();
    const { response, event } = await follow(service.of.plainUrl ?? "");
    expect(response.headers).toMatchObject({ "content-type": "text/event-stream", "cache-control": "no-store" });
    expect(await event(0)).toEqual({ revision: service.store.revision });

    // A new node and environment are in the rows of all entities that name them.
    const environment = "production";
    await submitted(
      service.store,
      a.facts("web-01", { environment, values: { load: 1 } }),
      a.report("web-01", { environment, producer_timestamp: "2026-11-20T10:00:00Z" }),
    );
    expect((await event(1)).changed).toEqual(expect.arrayContaining(["nodes", "environments", "facts", "reports"]));

    await submitted(service.store, a.facts("web-01", { environment, values: { load: 2 } }, NOW + 1_000_000n));
    const ofFacts = await event(2);
    expect(ofFacts.revision).toBe(service.store.revision);
    expect(ofFacts.changed).toEqual(
      expect.arrayContaining(["nodes", "facts", "factsets", "inventory", "fact_contents"]),
    );
    for (const other of ["reports", "events", "resources", "edges"]) expect(ofFacts.changed).not.toContain(other);

    await submitted(service.store, a.report("web-01", { environment, producer_timestamp: "2026-11-20T11:00:00Z" }));
    const ofReport = await event(3);
    expect(ofReport.changed).toEqual(expect.arrayContaining(["nodes", "reports"]));
    for (const other of ["fact_contents", "resources", "edges"]) expect(ofReport.changed).not.toContain(other);
    response.destroy();
  });

  it("end completely when the service closes", async () => {
    const service = await serve();
    const streams = await Promise.all([
      follow(service.of.plainUrl ?? ""),
      follow(service.of.tlsUrl ?? "", as(site, "member")),
    ]);
    for (const { event } of streams) await event(0);
    await Promise.all([service[Symbol.asyncDispose](), ...streams.map(({ ended }) => ended)]);
    expect(streams.map(({ response }) => response.complete)).toEqual([true, true]);
  });

  it("are sent over TLS to listed certificates alone", async () => {
    const listed = await site.write("listed", "member.example.com\n");
    const unlisted = await site.write("unlisted", "other.example.com\n");
    await using open = await serve({ allowlist: listed });
    await using closed = await serve({ allowlist: unlisted });
    const { response, event } = await follow(open.of.tlsUrl ?? "", as(site, "member"));
    expect((await event(0)).revision).toBe(open.store.revision);
    response.destroy();
    const refused = await follow(closed.of.tlsUrl ?? "", as(site, "member"));
    expect(refused.response.statusCode).toBe(403);
  });

  it("are not sent to pages of other sites", async () => {
    await using service = await serve();
    const { response } = await follow(service.of.plainUrl ?? "", { headers: { origin: "https://elsewhere.example" } });
    expect(response.statusCode).toBe(403);
  });
});

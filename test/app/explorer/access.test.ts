import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Service, startService } from "#app/service.ts";
import { as, send, openSite, type Site } from "#test/app/listeners/site.ts";
import { emptyStore } from "#test/fixture-store.ts";

const API = "/explorer/api/v1/about";

let site: Site;
beforeAll(async () => {
  site = await openSite();
});
afterAll(() => site[Symbol.asyncDispose]());

/** Serves an empty store on both listeners. */
async function serve(access: { allowlist?: string; policy?: string; origins?: string[]; hosts?: string[] } = {}) {
  const store = await emptyStore();
  const service: Service = await startService({
    store,
    plain: { host: "127.0.0.1", port: 0 },
    tls: site.tls,
    access: { ...access, hosts: ["127.0.0.1", ...(access.hosts ?? [])] },
  });
  const { text } = await send(service.plainUrl!, { path: "/explorer/" });
  return {
    asset: /src="(?<path>\/explorer\/assets\/main[^"]+)"/.exec(text)?.groups?.["path"] ?? "",
    plain: async (path: string, headers: Record<string, string> = {}) =>
      (await send(service.plainUrl!, { path, headers })).status,
    tls: async (path: string) => send(service.tlsUrl!, { path, ...as(site, "member") }),
    [Symbol.asyncDispose]: async () => {
      await service.close();
      await store.close();
    },
  };
}

describe("the certificate allowlist", () => {
  it("allows the page, its files and its data to a listed certificate", async () => {
    const allowlist = await site.write("listed", "member.example.com\n");
    await using service = await serve({ allowlist });
    for (const path of ["/explorer", "/explorer/", "/explorer/nodes/a", service.asset, API]) {
      expect([path, (await service.tls(path)).status]).toEqual([path, 200]);
    }
  });

  it("denies all of it to an unlisted certificate, in any spelling of the path", async () => {
    const allowlist = await site.write("unlisted", "other.example.com\n");
    await using service = await serve({ allowlist });
    const { asset } = service;
    const spellings = ["/x/../explorer/", "/%65xplorer/", "/explorer/%61pi/v1/about", "/explorer/./api/v1/about"];
    for (const path of ["/explorer", "/explorer/", "/explorer/nodes/a", asset, API, `${API}?x=1`, ...spellings]) {
      const { status, text } = await service.tls(path);
      expect([path, status]).toEqual([path, 403]);
      expect(text).toMatch(/^Permission denied: The client certificate name member\.example\.com doesnt appear/);
    }
    // What is no stored data stays open to certificates of the authority.
    expect((await service.tls("/status/v1/services")).status).toBe(200);
  });
});

/** Statuses of the page, of a file and of data where everybody may use these families. */
async function statusesWith(families: readonly string[]): Promise<number[]> {
  const rules = JSON.stringify(Object.fromEntries(families.map((family) => [family, ["any"]])));
  await using service = await serve({ policy: await site.write("policy.json", rules) });
  // The page contains the names of its files.
  const asset = service.asset === "" ? "/explorer/assets/main.js" : service.asset;
  return [await service.plain("/explorer/nodes"), await service.plain(asset), await service.plain(API)];
}

describe("an authorization policy", () => {
  it("controls the page and its files as one family, and its data as queries", async () => {
    expect(await statusesWith(["pages", "query"])).toEqual([200, 200, 200]);
    expect(await statusesWith(["pages"])).toEqual([200, 200, 403]);
    expect(await statusesWith(["query"])).toEqual([403, 403, 200]);
    expect(await statusesWith(["status", "metrics", "admin", "command", "archive"])).toEqual([403, 403, 403]);
  });
});

/** Statuses of dead letters, settings and SQL where everybody may use this family. */
async function maintenanceStatuses(family: string): Promise<number[]> {
  const policy = await site.write("policy-admin.json", JSON.stringify({ [family]: ["any"] }));
  await using service = await serve({ policy });
  return [
    await service.plain("/explorer/api/v1/dead-letters"),
    await service.plain("/explorer/api/v1/settings"),
    await service.plain("/explorer/api/v1/sql?query=SELECT%201"),
  ];
}

describe("dead letters and settings", () => {
  it("belong to the family of maintenance, not to queries", async () => {
    expect(await maintenanceStatuses("query")).toEqual([403, 403, 403]);
    expect(await maintenanceStatuses("admin")).toEqual([200, 200, 403]);
  });
});

describe("a browser", () => {
  it("may follow a link to the page from another site, but not load data", async () => {
    await using service = await serve();
    const link = { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" };
    const frame = { ...link, "sec-fetch-dest": "iframe" };
    const script = { "sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors", "sec-fetch-dest": "script" };
    const own = { "sec-fetch-site": "same-origin", "sec-fetch-mode": "cors", "sec-fetch-dest": "empty" };
    expect(await service.plain("/explorer/nodes/a", link)).toBe(200);
    expect(await service.plain("/", { ...link, accept: "text/html" })).toBe(302);
    expect(await service.plain("/explorer/nodes/a", frame)).toBe(403);
    expect(await service.plain(service.asset, script)).toBe(403);
    expect(await service.plain(API, link)).toBe(403);
    expect(await service.plain(API, { origin: "http://evil.example" })).toBe(403);
    expect(await service.plain(API, own)).toBe(200);
  });

  it("has to use an allowed host name", async () => {
    await using service = await serve({ hosts: ["census.internal"] });
    for (const path of ["/explorer/", service.asset, API]) {
      expect(await service.plain(path, { host: "evil.example:8080" })).toBe(403);
      expect(await service.plain(path, { host: "localhost:8080" })).toBe(200);
      expect(await service.plain(path, { host: "census.internal" })).toBe(200);
    }
  });
});

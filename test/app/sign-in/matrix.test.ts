import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Family, familyNames } from "#app/access/families.ts";
import { Router } from "#app/http/router.ts";
import { routeTables } from "#app/routes/index.ts";
import { send } from "#test/app/listeners/site.ts";
import { a } from "#test/fixture-store.ts";
import { Browser, type Served, serveWithAccess } from "./served.ts";

/** Who sends a request to the listener for people, or over TLS where it says so. */
const clients = [
  "nobody",
  "token reader",
  "token operator",
  "token admin",
  "session reader",
  "session operator",
  "session admin",
  "expired token",
  "revoked token",
  "ended session",
  "spoofed header",
] as const;
type Client = (typeof clients)[number];

/** Statuses: what no rule denies is `ok`. */
type Outcome = "ok" | 401 | 403;
type Row = readonly Outcome[];

const [ok, no] = ["ok", 403] as const;

/** The outcome of a GET and of a POST for each client, by the family of the route. */
const reading: Readonly<Record<Family, Row>> = {
  pages: [401, ok, ok, ok, ok, ok, ok, 401, 401, 401, 401],
  query: [401, ok, ok, ok, ok, ok, ok, 401, 401, 401, 401],
  status: [401, ok, ok, ok, ok, ok, ok, 401, 401, 401, 401],
  metrics: [401, ok, ok, ok, ok, ok, ok, 401, 401, 401, 401],
  archive: [401, no, ok, ok, no, ok, ok, 401, 401, 401, 401],
  command: [401, no, no, ok, no, no, no, 401, 401, 401, 401],
  admin: [401, no, no, ok, no, no, no, 401, 401, 401, 401],
};
const changing: typeof reading = { ...reading, archive: [401, no, ok, ok, no, no, no, 401, 401, 401, 401] };

/** Every route of the service, with its family. A route that is not here fails the test below. */
const rows: Readonly<Record<Family, readonly string[]>> = {
  pages: ["/explorer/", "/explorer/assets/:name", "/", "/pdb", "/pdb/dashboard/index.html", "/explorer/api/v1/session"],
  query: [
    "/pdb/query/v4",
    "/pdb/query/v4/nodes",
    "/pdb/query/v4/nodes/:node",
    "/pdb/query/v4/nodes/:node/facts",
    "/pdb/query/v4/nodes/:node/facts/:fact",
    "/pdb/query/v4/nodes/:node/facts/:fact/:value",
    "/pdb/query/v4/nodes/:node/resources",
    "/pdb/query/v4/nodes/:node/resources/:type",
    "/pdb/query/v4/nodes/:node/resources/:type/:title",
    "/pdb/query/v4/facts",
    "/pdb/query/v4/facts/:fact",
    "/pdb/query/v4/facts/:fact/:value",
    "/pdb/query/v4/fact-names",
    "/pdb/query/v4/fact-paths",
    "/pdb/query/v4/fact-contents",
    "/pdb/query/v4/factsets",
    "/pdb/query/v4/factsets/:certname([^/]+)",
    "/pdb/query/v4/factsets/:certname([^/]+)/facts",
    "/pdb/query/v4/inventory",
    "/pdb/query/v4/catalogs",
    "/pdb/query/v4/catalogs/:node",
    "/pdb/query/v4/catalogs/:node/edges",
    "/pdb/query/v4/catalogs/:node/resources",
    "/pdb/query/v4/catalogs/:node/resources/:type",
    "/pdb/query/v4/catalogs/:node/resources/:type/:title",
    "/pdb/query/v4/catalog-inputs",
    "/pdb/query/v4/catalog-input-contents",
    "/pdb/query/v4/resources",
    "/pdb/query/v4/resources/:type",
    "/pdb/query/v4/resources/:type/:title",
    "/pdb/query/v4/edges",
    "/pdb/query/v4/environments",
    "/pdb/query/v4/environments/:environment",
    "/pdb/query/v4/environments/:environment/facts",
    "/pdb/query/v4/environments/:environment/facts/:fact",
    "/pdb/query/v4/environments/:environment/facts/:fact/:value",
    "/pdb/query/v4/environments/:environment/resources",
    "/pdb/query/v4/environments/:environment/resources/:type",
    "/pdb/query/v4/environments/:environment/resources/:type/:title",
    "/pdb/query/v4/environments/:environment/reports",
    "/pdb/query/v4/environments/:environment/events",
    "/pdb/query/v4/producers",
    "/pdb/query/v4/producers/:producer",
    "/pdb/query/v4/producers/:producer/factsets",
    "/pdb/query/v4/producers/:producer/catalogs",
    "/pdb/query/v4/producers/:producer/reports",
    "/pdb/query/v4/packages",
    "/pdb/query/v4/package-inventory",
    "/pdb/query/v4/package-inventory/:certname([^/]+)",
    "/pdb/query/v4/reports",
    "/pdb/query/v4/reports/:hash([A-Za-z0-9\\-_.]+)/logs",
    "/pdb/query/v4/reports/:hash([A-Za-z0-9\\-_.]+)/metrics",
    "/pdb/query/v4/reports/:hash([A-Za-z0-9\\-_.]+)/resources",
    "/pdb/query/v4/reports/:hash([A-Za-z0-9\\-_.]+)/events",
    "/pdb/query/v4/environments/:environment/reports/:hash([A-Za-z0-9\\-_.]+)/logs",
    "/pdb/query/v4/environments/:environment/reports/:hash([A-Za-z0-9\\-_.]+)/metrics",
    "/pdb/query/v4/environments/:environment/reports/:hash([A-Za-z0-9\\-_.]+)/resources",
    "/pdb/query/v4/environments/:environment/reports/:hash([A-Za-z0-9\\-_.]+)/events",
    "/pdb/query/v4/events",
    "/pdb/query/v4/event-counts",
    "/pdb/query/v4/aggregate-event-counts",
    "/pdb/ext/v1/state-overview",
    "/pdb/ext/v1/inventory",
    "/pdb/ext/v1/sql",
    "/explorer/api/v1/about",
    "/explorer/api/v1/archive-comparison",
    "/explorer/api/v1/archive-comparison/node",
    "/explorer/api/v1/changes",
    "/explorer/api/v1/differences",
    "/explorer/api/v1/facets",
    "/explorer/api/v1/histogram",
    "/explorer/api/v1/issues",
    "/explorer/api/v1/issues/:id",
    "/explorer/api/v1/issues/:id/preceding",
    "/explorer/api/v1/rows",
    "/explorer/api/v1/run-times/nodes",
    "/explorer/api/v1/run-times/types",
    "/explorer/api/v1/search",
    "/explorer/api/v1/search/rows",
    "/explorer/api/v1/site",
    "/explorer/api/v1/sql",
    "/explorer/api/v1/sql/rows",
  ],
  status: [
    "/status/v1/services",
    "/status/v1/services/:service([^/]*)",
    "/status/v1/simple",
    "/status/v1/simple/:service([^/]*)",
    "/pdb/meta/v1/version",
    "/pdb/meta/v1/version/latest",
    "/pdb/meta/v1/server-time",
    "/openapi.json",
  ],
  metrics: [
    "/metrics",
    "/metrics/v2",
    "/metrics/v2/version",
    "/metrics/v2/list",
    "/metrics/v2/search/:pattern([^/]*)",
    "/metrics/v2/read/:mbean([^/]*)",
    "/metrics/v2/read/:mbean([^/]*)/:attributes([^/]*)",
    "/pdb/dashboard/data",
  ],
  archive: ["/pdb/admin/v1/archive"],
  command: ["/pdb/cmd/v1"],
  admin: [
    "/pdb/admin/v1/cmd",
    "/pdb/admin/v1/backup",
    "/pdb/admin/v1/summary-stats",
    "/explorer/api/v1/dead-letters",
    "/explorer/api/v1/settings",
  ],
};

/** Where people sign in: open to everybody on the listener for people, but for tokens that are refused. */
const open = ["/sign-in", "/sign-in/oidc", "/sign-in/callback", "/sign-out"];

const routes = new Router(routeTables, new Set(["explorer", "jolokia", "sign-in"])).routes;

let served: Served;
const browsers = new Map<Client, Browser>();

beforeAll(async () => {
  served = await serveWithAccess(
    (access) => {
      for (const role of ["reader", "operator", "admin"] as const) {
        access.token(`token ${role}`, { may: [role] });
        access.user(role, { role });
      }
      access.token("expired token", { may: ["admin"], expires: "2026-01-02T00:00:00Z" });
      access.token("revoked token", { may: ["admin"], revoked: "2026-01-02T00:00:00Z" });
      access.group("*", "reader");
    },
    { people: {} },
  );
  await served.store.submit(a.facts("alpha", { values: { kernel: "Linux" } }));
  for (const client of clients) {
    const browser = new Browser(served);
    browsers.set(client, browser);
    if (client.startsWith("session")) await browser.signIn(client.replace("session ", ""));
  }
  const ended = browsers.get("ended session") ?? new Browser(served);
  await ended.signIn("admin");
  const cookies = [...ended.cookies];
  await ended.post("/sign-out", {});
  for (const [name, value] of cookies) ended.cookies.set(name, value);
});
afterAll(() => served[Symbol.asyncDispose]());

async function outcomeOf(client: Client, method: string, path: string): Promise<Outcome> {
  const token = served.access.tokens[client];
  const spoofed = client === "spoofed header" ? { "remote-user": "admin", "remote-groups": "*" } : {};
  const headers = { ...(token === undefined ? {} : { "x-authentication": token }), ...spoofed };
  const got = await browsers.get(client)?.get(path, { method, headers });
  // The stream of changes never ends; that it was admitted is all that matters.
  if (got?.status === 401 || got?.status === 403) {
    const isOfRoute = got.status === 403 && !/^Permission denied|^Forbidden: sessions/.test(got.text);
    return isOfRoute ? "ok" : got.status;
  }
  return "ok";
}

describe("every route", () => {
  it("has a row in the table, with its family", () => {
    const listed = Object.entries(rows).flatMap(([family, paths]) => paths.map((path) => `${family} ${path}`));
    const all = routes.filter(({ isOpen }) => isOpen !== true).map(({ family, path }) => `${family} ${path}`);
    expect([...new Set(listed)].sort()).toEqual([...new Set(all)].sort());
    expect(routes.filter(({ isOpen }) => isOpen === true).map(({ path }) => path)).toEqual(open);
  });

  it("without a family of its own is denied to whom it would be", () => {
    expect(Object.keys(rows)).toEqual(expect.arrayContaining([...familyNames]));
  });

  const endless = new Set(["/explorer/api/v1/changes"]);
  const cases = Object.entries(rows).flatMap(([family, paths]) =>
    paths.filter((path) => !endless.has(path)).map((path) => [path, family as Family] as const),
  );
  it.each(cases)("%s (%s) is open to whom the table says", async (path, family) => {
    const filled = path.replaceAll(/:\w+(\([^()]+\))?/g, "alpha");
    for (const [method, table] of [
      ["GET", reading],
      ["POST", changing],
    ] as const) {
      const found = [];
      for (const client of clients) found.push([client, await outcomeOf(client, method, filled)]);
      expect([method, found]).toEqual([method, clients.map((client, index) => [client, table[family][index]])]);
    }
  });

  it("changes nothing for a session, whatever it posts", async () => {
    const before = await served.store.fingerprint();
    const browser = browsers.get("session admin") ?? new Browser(served);
    const command = { certname: "alpha", producer_timestamp: "2026-11-20T10:00:00Z" };
    const bodies = [JSON.stringify(command), JSON.stringify({ command: "delete", version: 1, payload: command }), "{}"];
    for (const { path, isOpen } of routes) {
      if (isOpen === true || endless.has(path)) continue;
      const filled = path.replaceAll(/:\w+(\([^()]+\))?/g, "alpha");
      for (const body of bodies) {
        for (const search of ["", "?command=deactivate_node&version=3&certname=alpha&secondsToWaitForCompletion=1"]) {
          const headers = { "content-type": "application/json" };
          await browser.get(filled + search, { method: "POST", body, headers });
        }
      }
    }
    expect(await served.store.fingerprint()).toEqual(before);
  });

  it("of the sign-in is there on the listener for people alone", async () => {
    for (const path of open) {
      const method = path === "/sign-out" ? "POST" : "GET";
      expect(await served.tls(path, "member", { method })).toMatchObject({ status: 404 });
      const got = await send(served.peopleUrl, { path, method, ca: served.site.authority.cert });
      expect([path, [200, 303, 403, 404].includes(got.status)]).toEqual([path, true]);
    }
  });
});

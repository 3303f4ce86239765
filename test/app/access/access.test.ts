import { connect } from "node:net";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AccessOptions, openAccess } from "#app/access/access.ts";
import type { RequestFacts } from "#app/access/facts.ts";
import type { Family } from "#app/access/families.ts";
import { textResponse } from "#app/http/response.ts";
import { openListeners } from "#app/listeners/listeners.ts";
import { below, trialHandler } from "#test/app/http/trial-handler.ts";
import { as, send, keptLog, openSite, type Person, type Sent, type Site } from "#test/app/listeners/site.ts";
import { plain } from "./requests.ts";

let site: Site;
beforeAll(async () => {
  site = await openSite();
});
afterAll(() => site[Symbol.asyncDispose]());

const families: Readonly<Record<string, Family>> = {
  "/pdb/query": "query",
  "/pdb/cmd": "command",
  "/pdb/admin": "admin",
  "/metrics": "metrics",
};

/** Serves routes that answer with their family, behind the access rules, on both listeners. */
async function serve(options: Partial<AccessOptions> = {}) {
  const log = keptLog();
  const access = await openAccess({ hasTls: true, hosts: ["127.0.0.1"], log, ...options });
  const fallbacks = Object.entries(families).map(([path, family]) =>
    below(path, family, () => textResponse(family, 200)),
  );
  const handler = trialHandler([{ routes: [], fallbacks }], {}, { access, log });
  const listeners = await openListeners(handler, { plain: { host: "127.0.0.1", port: 0 }, tls: site.tls, log });
  return {
    access,
    log,
    plain: (path: string, sent: Sent = {}) => send(listeners.plainUrl!, { path, ...sent }),
    tls: (path: string, person: Person = "member") => send(listeners.tlsUrl!, { path, ...as(site, person) }),
    /** Sends a request target as it is. */
    raw: async (target: string): Promise<string> => {
      const socket = connect(Number(new URL(listeners.plainUrl!).port), "127.0.0.1");
      socket.write(`GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
      return (await buffer(socket)).toString();
    },
    [Symbol.asyncDispose]: () => listeners.close(),
  };
}

describe("the access rules of a service", () => {
  it("allow a request that no rule denies", async () => {
    await using service = await serve();
    expect(await service.plain("/pdb/query/v4/nodes")).toMatchObject({ status: 200, text: "query" });
    expect(await service.tls("/metrics/v2/list")).toMatchObject({ status: 200, text: "metrics" });
    expect(service.log.warnings).toEqual([]);
  });

  it("judge the client of each listener", async () => {
    const allowlist = await site.write("allowlist", "\nother.example.com\r\n");
    await using service = await serve({ allowlist });
    const refused = await service.tls("/pdb/query/v4/nodes");
    expect(refused).toMatchObject({ status: 403, headers: { "content-type": "text/plain;charset=utf-8" } });
    expect(refused.text).toMatch(/^Permission denied: The client certificate name member\.example\.com doesnt /);
    expect(service.log.warnings).toEqual([`member.example.com is not in ${allowlist}`]);
    expect(await service.plain("/pdb/query/v4/nodes")).toMatchObject({ status: 200 });
    const forbidden = await service.plain("/metrics/v2/list?x=1");
    expect(forbidden).toMatchObject({
      status: 403,
      text: "Forbidden request: /metrics/v2/list (method :get). Please see the server logs for details.",
    });
    expect(forbidden.headers).toHaveProperty("content-type", "text/plain;charset=utf-8");
    expect(service.log.warnings.at(-1)).toBe(
      "GET /metrics/v2/list of a client without a certificate at 127.0.0.1: metrics are read over TLS with a certificate",
    );
  });

  it("apply the allowlist to the explorer as to /pdb, also if the explorer is switched off", async () => {
    const allowlist = await site.write("listed", "member.example.com\n");
    const others = await site.write("unlisted", "other.example.com\n");
    await using listed = await serve({ allowlist });
    await using unlisted = await serve({ allowlist: others });
    for (const path of ["/explorer", "/explorer/", "/explorer/api/v1/about", "/x/../explorer/", "/%65xplorer/"]) {
      expect(await listed.tls(path)).toMatchObject({ status: 404, text: "no route" });
      expect(await unlisted.tls(path)).toMatchObject({
        status: 403,
        text: expect.stringMatching(/^Permission denied: /),
      });
    }
  });

  it.each<[headers: Record<string, string>, status: number]>([
    [{ host: "localhost:1234" }, 200],
    [{ host: "evil.example" }, 403],
    [{ origin: "http://evil.example" }, 403],
    [{ "sec-fetch-site": "cross-site" }, 403],
    [{ "sec-fetch-site": "same-origin" }, 200],
  ])("judge requests by the header %j: %i", async (headers, status) => {
    await using service = await serve();
    expect(await service.plain("/pdb/query/v4/nodes", { headers })).toMatchObject({ status });
  });

  it("deny a forbidden path in every spelling", async () => {
    const policy = await site.write("status-only.json", '{"status":["any"],"pages":["any"]}');
    await using service = await serve({ policy });
    const odd = [
      "/status/v1/services/../../../pdb/query/v4",
      "/status/v1/services/%2e%2e/%2E%2e/../pdb/query/v4",
      "/status/v1/simple/..\\..\\..\\pdb\\query\\v4",
      "/%70db/query/v4",
      "/pdb%2Fquery/v4",
      "//pdb/query/v4",
      "/./pdb/query/v4",
      "/pdb//query/v4",
      "/PDB/query/v4",
      "/pdb/query/v4/%zz",
      "/status/%zz/../../pdb/query/v4",
      "/status/v1/simple;/../../../pdb/query/v4",
      "/?/../pdb/query/v4",
      "http://localhost/pdb/query/v4",
      "http://localhost/status/../pdb/query/v4",
    ];
    for (const target of odd) expect(`${target}: ${await service.raw(target)}`).not.toMatch(/query$/);
    expect(await service.raw("/pdb/query/v4")).toMatch(/^HTTP\/1\.1 403 /);
  });
});

describe("the rules", () => {
  it("replace the rule for metrics by a policy, but not the rules against web pages", async () => {
    const policy = await site.write("metrics.json", '{"metrics":["loopback"]}');
    const access = await openAccess({ hasTls: true, policy, log: keptLog() });
    const judge = (facts: RequestFacts) => access.judge(facts);
    expect(judge(plain("/metrics/v2/list"))).toBeUndefined();
    expect(judge(plain("/metrics/v2/list", { fetchSite: "cross-site" }))).toBeDefined();
  });

  it("apply the allowlist before the policy", async () => {
    const policy = await site.write("open.json", '{"query":["any"]}');
    const allowlist = await site.write("nobody", "");
    await using service = await serve({ policy, allowlist });
    expect((await service.tls("/pdb/query/v4")).text).toMatch(/^Permission denied: /);
  });

  it("are read again on request, and kept if the new ones are invalid", async () => {
    const policy = await site.write("changing.json", '{"query":["any"]}');
    const log = keptLog();
    const access = await openAccess({ hasTls: false, policy, log });
    const judged = (): boolean => access.judge(plain("/pdb/query/v4")) === undefined;
    expect(judged()).toBe(true);
    await site.write("changing.json", '{"query":[]}');
    await access.reload();
    expect(judged()).toBe(false);
    await site.write("changing.json", '{"query":["any"');
    await access.reload();
    expect(judged()).toBe(false);
    expect(log.warnings).toEqual([
      expect.stringMatching(
        /^keeping the current access rules: authorization-policy: \S+changing\.json is not valid JSON: /,
      ),
    ]);
  });

  it.each(["allowlist", "policy"] as const)("name an %s that is missing", async (which) => {
    const path = site.path("nothing-here");
    const setting = { allowlist: "certificate-allowlist", policy: "authorization-policy" }[which];
    await expect(openAccess({ hasTls: true, log: keptLog(), [which]: path })).rejects.toMatchObject({
      code: "bad-file",
      message: `${setting}: ${path} does not exist`,
    });
  });
});

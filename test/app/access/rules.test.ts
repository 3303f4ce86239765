import { describe, expect, it } from "vitest";
import { allowlist } from "#app/access/allowlist.ts";
import { type Family, familyNames } from "#app/access/families.ts";
import type { RequestFacts } from "#app/access/facts.ts";
import { knownHost } from "#app/access/host.ts";
import { metricsReaders } from "#app/access/by-role.ts";
import { knownOrigin } from "#app/access/origin.ts";
import { familyOf, plain, tls } from "./requests.ts";

describe("the access family of a path", () => {
  it.each<[path: string, family: Family | undefined]>([
    ["/pdb/query/v4", "query"],
    ["/pdb/query/v4/nodes/alpha", "query"],
    ["/pdb/ext/v1/state-overview", "query"],
    ["/pdb/cmd/v1", "command"],
    ["/pdb/admin/v1/archive", "archive"],
    ["/pdb/admin/v1/cmd", "admin"],
    ["/pdb/admin/v1/summary-stats", "admin"],
    ["/pdb/admin/v1/archives", "admin"],
    ["/pdb/meta/v1/version", "status"],
    ["/status/v1/services", "status"],
    ["/openapi.json", "status"],
    ["/metrics", "metrics"],
    ["/metrics/v2/list", "metrics"],
    ["/pdb/dashboard/data", "metrics"],
    ["/pdb/dashboard/index.html", "pages"],
    ["/", "pages"],
    ["/pdb/", "pages"],
    ["/pdb/queryx", undefined],
    ["/PDB/query/v4", undefined],
    ["//pdb/query/v4", undefined],
  ])("%s: %s", (path, family) => {
    expect(familyOf(path)).toBe(family);
  });

  it("is one that a policy may name", () => {
    expect(familyNames).toEqual(["query", "command", "archive", "admin", "status", "metrics", "pages"]);
  });
});

describe("the certificate allowlist (reference/http.md §7.3)", () => {
  const check = allowlist(new Set(["puppet.example.com"]), "/etc/allowlist");

  it.each<[facts: RequestFacts, allowed: boolean]>([
    [tls("/pdb/query/v4/nodes", { certname: "puppet.example.com" }), true],
    [tls("/pdb/query/v4/nodes", { certname: "client.example.com" }), false],
    [tls("/pdb/cmd/v1", { certname: "client.example.com", method: "POST" }), false],
    [tls("/pdb/meta/v1/version", { certname: "client.example.com" }), false],
    [tls("/pdb/nonsense", { certname: "client.example.com" }), false],
    [tls("/explorer", { certname: "client.example.com" }), false],
    [tls("/explorer/", { certname: "client.example.com" }), false],
    [tls("/explorer/api/v1/facets", { certname: "client.example.com" }), false],
    [tls("/explorer/api/v1/facets", { certname: "puppet.example.com" }), true],
    [tls("/explorers", { certname: "client.example.com" }), true],
    [plain("/explorer/"), true],
    [tls("/pdb/query/v4/nodes"), false],
    // compared whole, case and all
    [tls("/pdb/query/v4", { certname: "Puppet.example.com" }), false],
    [tls("/pdb/query/v4", { certname: "puppet.example.com." }), false],
    [tls("/status/v1/services", { certname: "client.example.com" }), true],
    [tls("/metrics/v2/list", { certname: "client.example.com" }), true],
    [plain("/pdb/query/v4/nodes"), true],
    [plain("/pdb/cmd/v1", { method: "POST", address: "10.0.0.1" }), true],
  ])("%o: %s", (facts, allowed) => {
    expect(check(facts) === undefined).toBe(allowed);
  });

  it.each<[client: Partial<RequestFacts>, logged: string]>([
    [{ certname: "client.example.com" }, "client.example.com"],
    [{ isUnnamed: true }, "a client whose certificate has no single CN"],
    [{}, "a client without a certificate"],
  ])("names the client in the log: %j", (client, logged) => {
    expect(check(tls("/pdb/query/v4", client))?.reason).toBe(`${logged} is not in /etc/allowlist`);
  });

  it("is denied in PuppetDB's words", () => {
    expect(check(tls("/pdb/cmd/v1", { certname: "client.example.com" }))?.text).toBe(
      "Permission denied: The client certificate name client.example.com doesnt appear in the certificate allowlist. " +
        "Is your master's (or other PuppetDB client's) certname listed in PuppetDB's certificate-allowlist file?",
    );
  });
});

describe("metrics", () => {
  const certname = "client.example.com";
  it.each<[hasTls: boolean, facts: RequestFacts, allowed: boolean]>([
    [true, tls("/metrics/v2/list", { certname }), true],
    [true, tls("/metrics/v2/list"), false],
    [true, plain("/metrics/v2/list"), false],
    [true, plain("/metrics/v2/list", { address: "10.0.0.1" }), false],
    [true, plain("/metrics/v1/mbeans"), false],
    [true, plain("/metrics/v2"), false],
    [false, plain("/metrics/v2/list"), true],
    [false, plain("/metrics/v2/list", { address: "::1" }), true],
    [false, plain("/metrics/v2/list", { address: "::ffff:127.0.0.1" }), true],
    [false, plain("/metrics/v2/list", { address: "10.0.0.1" }), false],
    // one rule for both
    [true, tls("/metrics", { certname }), true],
    [true, tls("/metrics"), false],
    [true, plain("/metrics"), false],
    [true, plain("/metrics/"), false],
    [false, plain("/metrics"), true],
    [false, plain("/metrics", { address: "10.0.0.1" }), false],
    [true, plain("/metricsx"), true],
    [true, plain("/pdb/query/v4"), true],
  ])("with a TLS listener: %s, %o: %s", (hasTls, facts, allowed) => {
    expect(metricsReaders(hasTls)(facts) === undefined).toBe(allowed);
  });
});

describe("Host (DNS rebinding)", () => {
  const check = knownHost(["Census.Example.com", "127.0.0.1"]);
  it.each<[host: string | undefined, allowed: boolean]>([
    [undefined, true],
    ["localhost", true],
    ["localhost:8080", true],
    ["LOCALHOST:9999", true],
    ["localhost.:8080", true],
    ["census.localhost:8080", true],
    ["127.0.0.1:8080", true],
    ["127.1.2.3", true],
    ["[::1]:8080", true],
    ["10.0.0.5:8080", true],
    ["census.example.com", true],
    ["CENSUS.example.com:8080", true],
    ["evil.example:8080", false],
    ["localhost.evil.example", false],
    ["evillocalhost", false],
    ["127.0.0.1.evil.example:8080", false],
    ["sub.census.example.com", false],
    ["evil.example@localhost", false],
    ["localhost/evil.example", false],
    ["", false],
    ["[::1", false],
  ])("%j on plain loopback: %s", (host, allowed) => {
    const refusal = check(plain("/pdb/query/v4", host === undefined ? {} : { host }));
    expect(refusal === undefined).toBe(allowed);
  });

  it.each<[facts: RequestFacts]>([
    [tls("/pdb/query/v4", { host: "evil.example" })],
    [plain("/pdb/query/v4", { host: "cname.example.com", address: "10.0.0.7" })],
  ])("is not checked on other listeners: %o", (facts) => {
    expect(check(facts)).toBeUndefined();
  });

  it("is refused with a hint at the setting", () => {
    expect(check(plain("/", { host: "db.example.com" }))?.text).toMatch(/"db\.example\.com".* allowed-hosts\.$/);
  });
});

describe("Origin and Sec-Fetch-Site (requests of other web pages)", () => {
  const host = "localhost:8080";
  const check = knownOrigin(["https://dashboard.example.com"]);
  const page = { method: "GET", fetchSite: "cross-site", fetchMode: "navigate", fetchDest: "document" };

  it.each<[facts: RequestFacts, allowed: boolean]>([
    // command-line clients
    [plain("/pdb/query/v4", { host }), true],
    [plain("/pdb/cmd/v1", { host, method: "POST" }), true],
    [tls("/pdb/cmd/v1", { host: "census.example.com:8081", method: "POST" }), true],
    // our own pages, and what the user types
    [plain("/pdb/query/v4", { host, fetchSite: "same-origin" }), true],
    [plain("/pdb/cmd/v1", { host, method: "POST", fetchSite: "same-origin", origin: "http://localhost:8080" }), true],
    [plain("/pdb/query/v4", { host, fetchSite: "none" }), true],
    [tls("/pdb/cmd/v1", { host: "c.example.com", method: "POST", origin: "https://c.example.com:443" }), true],
    // other pages: reading, posting, posting from a frame without an origin, a preflight request
    [plain("/pdb/query/v4", { host, fetchSite: "cross-site" }), false],
    [plain("/pdb/query/v4", { host, fetchSite: "same-site" }), false],
    [plain("/pdb/cmd/v1", { host, method: "POST", origin: "https://evil.example" }), false],
    [plain("/pdb/cmd/v1", { host, method: "POST", origin: "null" }), false],
    [plain("/pdb/cmd/v1", { method: "POST", origin: "null" }), false],
    [plain("/pdb/cmd/v1", { host, method: "OPTIONS", origin: "https://evil.example" }), false],
    [tls("/pdb/admin/v1/cmd", { host: "c.example.com", method: "POST", origin: "https://evil.example" }), false],
    // another port, another scheme: another page
    [plain("/pdb/cmd/v1", { host, method: "POST", origin: "http://localhost:3000" }), false],
    [plain("/pdb/cmd/v1", { host, method: "POST", origin: "https://localhost:8080" }), false],
    // a mark that the other contradicts
    [plain("/pdb/cmd/v1", { host, method: "POST", fetchSite: "same-origin", origin: "https://evil.example" }), false],
    [plain("/pdb/cmd/v1", { host, method: "POST", fetchSite: "cross-site", origin: "http://localhost:8080" }), false],
    // links: to pages, and by links alone
    [plain("/", { host, ...page }), true],
    [plain("/pdb/dashboard/index.html", { host, ...page }), true],
    [plain("/pdb/dashboard/index.html", { host, ...page, fetchDest: "iframe" }), false],
    [plain("/pdb/dashboard/index.html", { host, ...page, fetchMode: "no-cors", fetchDest: "image" }), false],
    [plain("/pdb/dashboard/index.html", { host, ...page, method: "POST" }), false],
    [plain("/pdb/cmd/v1", { host, ...page }), false],
    [plain("/pdb/admin/v1/archive", { host, ...page }), false],
    // a page that was let in by name
    [plain("/pdb/query/v4", { host, fetchSite: "cross-site", origin: "https://dashboard.example.com" }), true],
    [plain("/pdb/query/v4", { host, fetchSite: "cross-site", origin: "http://dashboard.example.com" }), false],
  ])("%o: %s", (facts, allowed) => {
    expect(check(facts) === undefined).toBe(allowed);
  });
});

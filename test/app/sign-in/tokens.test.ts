import { once } from "node:events";
import { request } from "node:https";
import type { IncomingMessage } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createToken } from "#app/sign-in/tokens.ts";
import { a } from "#test/fixture-store.ts";
import { type Served, serveWithAccess, until } from "./served.ts";

const json = "application/json; charset=utf-8";
const nodes = "/pdb/query/v4/nodes";

let served: Served;
beforeAll(async () => {
  served = await serveWithAccess((access) => {
    access.token("ci", { may: ["query"] });
    access.token("reader", { may: ["reader"] });
    access.token("admin", { may: ["admin"] });
    access.token("old", { may: ["query"], expires: "2026-01-02T00:00:00Z" });
    access.token("gone", { may: ["query"], revoked: "2026-01-02T00:00:00Z" });
  });
  await served.store.submit(a.facts("alpha", { values: { kernel: "Linux" } }));
});
afterAll(() => served[Symbol.asyncDispose]());

const header = (token: string | undefined): { headers: Record<string, string> } => ({
  headers: token === undefined ? {} : { "x-authentication": token },
});

describe("a token over TLS without a certificate", () => {
  it("is accepted in both headers", async () => {
    const token = served.access.tokens["ci"] ?? "";
    for (const headers of [{ "x-authentication": token }, { authorization: `Bearer ${token}` }] as const) {
      const { status, text } = await served.tls(nodes, "anonymous", { headers });
      expect({ status, rows: JSON.parse(text) as unknown }).toMatchObject({
        status: 200,
        rows: [{ certname: "alpha" }],
      });
    }
    const both = { "x-authentication": token, authorization: `Bearer ${served.access.tokens["admin"]}` };
    expect(await served.tls(nodes, "anonymous", { headers: both })).toMatchObject({ status: 400 });
  });

  it.each([
    ["none", undefined, "user-unauthenticated", "Route requires authentication"],
    ["an unknown one", createToken().token, "invalid-token", "The provided token is not valid."],
    ["one of another service", "0VZZ6geJQK8zJGKxBdq1ajsAB", "invalid-token", "The provided token is not valid."],
    ["an expired one", "old", "token-expired", "The provided token has expired."],
    ["a revoked one", "gone", "token-revoked", "Authentication token has been revoked."],
  ])("is refused in Puppet Enterprise's words: %s", async (_, name, kind, msg) => {
    const token = name === undefined ? undefined : (served.access.tokens[name] ?? name);
    const got = await served.tls(nodes, "anonymous", header(token));
    expect(got).toMatchObject({ status: 401, headers: { "content-type": json, "www-authenticate": "Bearer" } });
    expect(JSON.parse(got.text)).toEqual({ kind: `puppetlabs.rbac/${kind}`, msg });
  });

  it("is refused when any character of it differs", async () => {
    const token = served.access.tokens["ci"] ?? "";
    for (const at of [0, 7, 10, 16, 30, token.length - 1]) {
      const wrong = `${token.slice(0, at)}${token[at] === "a" ? "b" : "a"}${token.slice(at + 1)}`;
      expect(await served.tls(nodes, "anonymous", header(wrong))).toMatchObject({ status: 401 });
    }
    for (const wrong of [`${token}a`, token.slice(0, -1), "census_", "__proto__", "census_constructor"]) {
      expect(await served.tls(nodes, "anonymous", header(wrong))).toMatchObject({ status: 401 });
    }
  });

  it.each([
    ["ci", "/metrics", 403],
    ["ci", "/status/v1/simple", 403],
    ["reader", "/metrics", 200],
    ["reader", "/explorer/api/v1/about", 200],
    ["reader", "/pdb/admin/v1/archive", 403],
    ["reader", "/pdb/admin/v1/summary-stats", 403],
    ["admin", "/pdb/admin/v1/summary-stats", 200],
  ])("is good for what it is for alone: %s %s %i", async (name, path, status) => {
    const got = await served.tls(path, "anonymous", header(served.access.tokens[name]));
    const denied = "Permission denied: User does not have permission to access PuppetDB";
    expect({ status: got.status, isDenied: got.text === denied }).toEqual({ status, isDenied: status === 403 });
  });

  it("decides also where there is a certificate, unless it is of another service", async () => {
    expect(await served.tls(nodes, "member")).toMatchObject({ status: 200 });
    expect(await served.tls(nodes, "member", header(served.access.tokens["old"]))).toMatchObject({ status: 401 });
    expect(await served.tls("/metrics", "member", header(served.access.tokens["ci"]))).toMatchObject({ status: 403 });
    expect(await served.tls(nodes, "member", header("stale-token-of-puppet-enterprise"))).toMatchObject({
      status: 200,
    });
  });

  it("is not read from an address", async () => {
    const got = await served.tls(`${nodes}?token=${served.access.tokens["ci"]}`, "anonymous");
    expect(got).toMatchObject({ status: 401 });
  });
});

describe("plain HTTP on this machine", () => {
  it("remains open, but a token of ours decides", async () => {
    expect(await served.plain(nodes)).toMatchObject({ status: 200 });
    expect(await served.plain(nodes, header("of-another-service"))).toMatchObject({ status: 200 });
    expect(await served.plain(nodes, header(served.access.tokens["old"]))).toMatchObject({ status: 401 });
  });
});

describe("the audit log", () => {
  it("has the first use of a token and refused tokens, without any token", async () => {
    await served.tls(nodes, "anonymous", header(served.access.tokens["ci"]));
    await served.tls(nodes, "anonymous", header(served.access.tokens["ci"]));
    const uses = served.audit.filter(({ event, subject }) => event === "token-first-use" && subject === "token:ci");
    expect(uses).toEqual([expect.objectContaining({ remote: "127.0.0.1", id: expect.any(String) as string })]);
    expect(served.audit).toContainEqual(expect.objectContaining({ event: "token-refused", remote: "127.0.0.1" }));
    const written = JSON.stringify([served.audit, served.log.warnings, served.log.notices]);
    for (const token of Object.values(served.access.tokens)) expect(written).not.toContain(token.slice(16));
  });
});

describe("a change of the access file", () => {
  it("is in force soon, and ends responses", async () => {
    await using own = await serveWithAccess((access) => {
      access.token("kept", { may: ["query"] });
      access.token("lost", { may: ["query"] });
    });
    const follow = async (name: string): Promise<IncomingMessage> => {
      const options = { ca: own.site.authority.cert, ...header(own.access.tokens[name]), agent: false as const };
      const outgoing = request(`${own.url}/explorer/api/v1/changes`, options).end();
      const [response] = (await once(outgoing, "response")) as [IncomingMessage];
      response.on("error", () => undefined).resume();
      return response;
    };
    const [kept, lost] = [await follow("kept"), await follow("lost")];
    expect([kept.statusCode, lost.statusCode]).toEqual([200, 200]);
    const { content } = own.access;
    const revoked = [...content.tokens].map(
      ([id, token]) => [id, token.name === "lost" ? { ...token, revoked: new Date().toISOString() } : token] as const,
    );
    own.access.content = { ...content, tokens: new Map(revoked) };
    await own.access.write();
    // A response that is in progress when the file is read is cut.
    const refused = async () =>
      own.tls(nodes, "anonymous", header(own.access.tokens["lost"])).then(
        ({ status }) => status === 401,
        () => false,
      );
    await until(refused);
    await until(() => lost.destroyed);
    expect(kept.destroyed).toBe(false);
    kept.destroy();
    expect(own.audit).toContainEqual(
      expect.objectContaining({
        event: "access-file-changed",
        changes: [expect.stringMatching(/^token lost \(\w{8}\) revoked$/)],
      }),
    );
  });

  it("is ignored, and reported, while the file is invalid or missing", async () => {
    await using own = await serveWithAccess((access) => access.token("ci", { may: ["query"] }));
    await own.site.write("access.json", '{"tokens": {"abcdefgh": {"name": "x"}}}');
    const kept = (): string[] => own.log.warnings.filter((line) => line.startsWith("keeping"));
    await until(() => kept().length > 0);
    expect(kept()).toEqual([
      expect.stringMatching(
        /^keeping the current tokens and users: access-file: .*: "abcdefgh": sha256: expected 64 hex/,
      ),
    ]);
    expect(await own.tls(nodes, "anonymous", header(own.access.tokens["ci"]))).toMatchObject({ status: 200 });
    own.access.token("second", { may: ["query"] });
    await own.access.write();
    await until(async () => (await own.tls(nodes, "anonymous", header(own.access.tokens["second"]))).status === 200);
  });

  it("refuses to start with a file that is missing", async () => {
    await expect(serveWithAccess(() => undefined, { signIn: { accessFile: "/nowhere/access.json" } })).rejects.toThrow(
      "access-file: /nowhere/access.json does not exist",
    );
  });
});

describe("a policy", () => {
  it("admits tokens by name and role, and never more than they are for", async () => {
    await using own = await serveWithAccess(
      (access) => {
        access.token("ci", { may: ["query"] });
        access.token("cd", { may: ["query", "metrics"] });
        access.token("ops", { may: ["operator"] });
      },
      { policy: { query: ["token:c?"], metrics: ["token:*"], archive: ["role:operator"], status: ["loopback"] } },
    );
    const status = async (name: string, path: string) =>
      (await own.tls(path, "anonymous", header(own.access.tokens[name]))).status;
    expect(await status("ci", nodes)).toBe(200);
    expect(await status("cd", nodes)).toBe(200);
    expect(await status("ops", nodes)).toBe(403);
    expect(await status("ci", "/metrics")).toBe(403);
    expect(await status("cd", "/metrics")).toBe(200);
    expect(await status("ops", "/pdb/admin/v1/archive")).toBe(200);
    expect((await own.tls("/status/v1/simple", "anonymous")).status).toBe(401);
    expect((await own.tls("/status/v1/simple", "member")).status).toBe(200);
    expect((await own.plain("/status/v1/simple")).status).toBe(200);
    const forwarded = { headers: { "x-forwarded-for": "10.0.0.1" } };
    expect((await own.plain("/status/v1/simple", forwarded)).status).toBe(403);
  });
});

import { describe, expect, it } from "vitest";
import { send } from "#test/app/listeners/site.ts";
import { serveWithAccess } from "./served.ts";

const nodes = "/pdb/query/v4/nodes";
const headers = { user: "remote-user", groups: "remote-groups" };
const behind = { tls: undefined, url: "https://census.example.com", proxyHeaders: headers };
const host = "census.example.com";

describe("a reverse proxy that names the user", () => {
  it("is believed, with groups and the client's address", async () => {
    await using served = await serveWithAccess((access) => access.group("ops", "operator"), {
      people: { ...behind, proxies: ["127.0.0.1", "10.0.0.0/24"] },
    });
    const get = (path: string, more: Record<string, string | string[]>) =>
      send(served.peopleUrl, { path, headers: { host, ...more } });
    const alice = {
      "remote-user": "alice",
      "remote-groups": "dev, ops",
      "x-forwarded-for": "6.6.6.6, 9.9.9.9, 10.0.0.7",
    };
    expect(await get(nodes, alice)).toMatchObject({ status: 200 });
    const session = JSON.parse((await get("/explorer/api/v1/session", alice)).text) as unknown;
    expect(session).toEqual({ name: "alice", kind: "proxy", role: "operator", groups: ["dev", "ops"], until: null });
    expect(await get(nodes, { "remote-user": "eve", "remote-groups": "dev" })).toMatchObject({ status: 403 });
    expect(await get(nodes, {})).toMatchObject({ status: 401 });
    expect(await get(nodes, { "remote-user": "" })).toMatchObject({ status: 401 });
    expect(await get(nodes, { "remote-user": ["alice", "bob"], "remote-groups": "ops" })).toMatchObject({
      status: 400,
    });
    expect(await get(nodes, { "remote-user": "alice", "remote-groups": ["dev", "ops"] })).toMatchObject({
      status: 400,
    });
    // A proxy may pass on a token of its own provider.
    expect(await get(nodes, { ...alice, authorization: "Bearer ey.of.provider" })).toMatchObject({ status: 200 });
    expect(await get(nodes, { authorization: "Bearer ey.of.provider" })).toMatchObject({ status: 401 });
    const denied = served.audit.find(({ event }) => event === "denied");
    expect(denied).toMatchObject({ subject: "proxy:eve", remote: "127.0.0.1" });
    await get("/pdb/cmd/v1", alice);
    expect(served.audit.at(-1)).toMatchObject({ event: "denied", subject: "proxy:alice", remote: "9.9.9.9" });
  });

  it("is one of the named addresses: others are not even answered", async () => {
    await using served = await serveWithAccess(() => undefined, { people: { ...behind, proxies: ["10.0.0.0/24"] } });
    await expect(send(served.peopleUrl, { path: nodes, headers: { host, "remote-user": "alice" } })).rejects.toThrow(
      /socket hang up|ECONNRESET/,
    );
    expect(served.log.warnings.at(-1)).toBe("connection from 127.0.0.1 refused: it is none of people-proxies");
  });

  it("is believed on the listener for people alone", async () => {
    await using served = await serveWithAccess((access) => access.group("*", "admin"), {
      people: { ...behind, proxies: ["127.0.0.1"] },
    });
    const spoofed = { headers: { "remote-user": "alice" } };
    expect(await served.tls(nodes, "anonymous", spoofed)).toMatchObject({ status: 401 });
    expect(await served.plain("/metrics", spoofed)).toMatchObject({ status: 403 });
    expect(await send(served.peopleUrl, { path: nodes, headers: { host, "remote-user": "alice" } })).toMatchObject({
      status: 200,
    });
  });
});

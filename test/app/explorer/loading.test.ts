import { describe, expect, it } from "vitest";
import type { Progress } from "#app/explorer/about.ts";
import { startEarly } from "#app/service.ts";
import { send } from "#test/app/listeners/site.ts";
import { a, emptyStore, submitted } from "#test/fixture-store.ts";

const ABOUT = "/explorer/api/v1/about";

/** A service that listens before its store is open. */
async function serve(enabled = true) {
  let progress: Progress = { text: "Opening the archive" };
  const service = await startEarly(
    { source: { kind: "archive", name: "export.tgz" }, explorer: { enabled } },
    () => progress,
  );
  return {
    service,
    get: (path: string, headers: Record<string, string> = {}) => send(service.url, { path, headers }),
    send: (path: string, method: string, body: string) => send(service.url, { path, method, body }),
    report: (current: Progress) => (progress = current),
    [Symbol.asyncDispose]: () => service.close(),
  };
}

describe("while a store is being opened", () => {
  it("the page is served and shows the progress", async () => {
    await using early = await serve();
    expect(await early.get("/explorer/nodes")).toMatchObject({
      status: 200,
      headers: { "content-type": "text/html;charset=utf-8" },
      text: expect.stringContaining("<!doctype html>"),
    });
    const about = JSON.parse((await early.get(ABOUT)).text) as unknown;
    expect(about).toEqual({
      version: "0.1.0",
      interface: "8.8.1",
      source: { kind: "archive", name: "export.tgz" },
      settings: { silentAfter: 7200, queryTimeout: 600, sql: false, site: false },
      state: "loading",
      progress: { text: "Opening the archive" },
    });
    early.report({ text: "Reading the archive", done: 30, total: 120 });
    expect(JSON.parse((await early.get(ABOUT)).text)).toMatchObject({ progress: { done: 30, total: 120 } });
    expect(await early.get("/", { accept: "text/html" })).toMatchObject({
      status: 302,
      headers: { location: "/explorer/" },
    });
  });

  it("other paths return 503 with the progress and Retry-After", async () => {
    await using early = await serve();
    early.report({ text: "Reading the archive", done: 30, total: 120 });
    const api = ["/explorer/api/v1/facets", "/explorer/api/v1/nope"];
    const others = ["/pdb/query/v4/nodes", "/pdb/meta/v1/version", "/status/v1/services", "/metrics", "/nope"];
    for (const path of ["/", ...api, ...others]) {
      expect(await early.get(path, { accept: "application/json" })).toMatchObject({
        status: 503,
        headers: { "retry-after": "1" },
        text: "The data is not ready yet (Reading the archive, 25 %); try again later",
      });
    }
    const command = await early.send("/pdb/cmd/v1?command=replace_facts&version=5&certname=a", "POST", "{}");
    expect(command.status).toBe(503);
  });

  it("the access rules apply", async () => {
    await using early = await serve();
    expect((await early.get(ABOUT, { host: "evil.example" })).status).toBe(403);
    expect((await early.get("/pdb/query/v4/nodes", { origin: "http://evil.example" })).status).toBe(403);
  });

  it("no page is served if the explorer is switched off", async () => {
    await using early = await serve(false);
    for (const path of ["/explorer/", ABOUT, "/"]) {
      expect((await early.get(path, { accept: "text/html" })).status).toBe(503);
    }
  });
});

describe("once the store is open", () => {
  it("the same listener serves it, and its metrics begin to count", async () => {
    const store = await emptyStore();
    await submitted(store, a.facts("web-01.example.com"));
    const early = await serve();
    await early.get("/pdb/query/v4/nodes");
    early.service.ready(store);
    expect(JSON.parse((await early.get(ABOUT)).text)).toMatchObject({ state: "ready", counts: { nodes: 1 } });
    expect(JSON.parse((await early.get("/pdb/query/v4/nodes")).text)).toMatchObject([
      { certname: "web-01.example.com" },
    ]);
    const { text } = await early.get("/metrics/v2/search/puppetlabs.puppetdb.http:*");
    expect(text).toContain(String.raw`\/nodes.200`);
    expect(text).not.toContain(".503");
    await early.service.close();
    await store.close();
  });
});

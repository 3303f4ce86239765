import { connect } from "node:net";
import { setTimeout } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { Progress } from "#app/explorer/api/shapes.ts";
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

/** Sent by clients that know that a store is still being filled. */
const accepting = { "x-census-incomplete": "accept" };

describe("while a store is being filled", () => {
  it("clients that know it get the rows so far, and the progress", async () => {
    const store = await emptyStore();
    await submitted(store, a.facts("web-01.example.com"));
    await using early = await serve();
    early.report({ text: "Reading the archive", done: 30, total: 120 });
    early.service.show(store);
    expect(JSON.parse((await early.get(ABOUT, accepting)).text)).toMatchObject({
      state: "loading",
      progress: { done: 30, total: 120 },
      counts: { nodes: 1 },
    });
    const nodes = async (): Promise<unknown> =>
      JSON.parse((await early.get("/pdb/query/v4/nodes", accepting)).text) as unknown;
    expect(await nodes()).toMatchObject([{ certname: "web-01.example.com" }]);
    await submitted(store, a.facts("web-02.example.com"));
    expect(await nodes()).toHaveLength(2);
    await early.service.hide();
    await store.close();
  });

  it("others get 503, and only queries and pages are answered", async () => {
    const store = await emptyStore();
    await using early = await serve();
    early.service.show(store);
    for (const path of [
      "/pdb/query/v4/nodes",
      "/explorer/api/v1/rows?query=nodes{}",
      "/metrics",
      "/pdb/meta/v1/version",
    ]) {
      expect(await early.get(path)).toMatchObject({ status: 503, headers: { "retry-after": "1" } });
    }
    for (const path of ["/status/v1/services", "/pdb/admin/v1/archive", "/pdb/ext/v1/state-overview", "/metrics"]) {
      expect((await early.get(path, accepting)).status).toBe(503);
    }
    expect(JSON.parse((await early.get(ABOUT)).text)).not.toHaveProperty("counts");
    await early.service.hide();
    await store.close();
  });

  it("requests wait while the store is replaced, and pages that follow it are released", async () => {
    const [filled, whole] = [await emptyStore(), await emptyStore()];
    await submitted(whole, a.facts("web-01.example.com"));
    await using early = await serve();
    early.service.show(filled);
    const followed = early.get("/explorer/api/v1/changes");
    await expect.poll(async () => (await early.get(ABOUT, accepting)).status).toBe(200);
    await early.service.hide();
    expect((await followed).text).toContain("event: changes");
    await filled.close();
    const waiting = early.get("/pdb/query/v4/nodes", accepting);
    const sent = await Promise.race([waiting, setTimeout(200, "nothing yet")]);
    expect(sent).toBe("nothing yet");
    early.service.ready(whole);
    expect(JSON.parse((await waiting).text)).toMatchObject([{ certname: "web-01.example.com" }]);
    await early.service.close();
    await whole.close();
  });

  it("a client that reads slowly does not keep the store open", async () => {
    const store = await emptyStore();
    await submitted(store, a.facts("web-01.example.com", { values: { large: "x".repeat(8_000_000) } }));
    await using early = await serve();
    early.service.show(store);
    const { port } = new URL(early.service.url);
    const socket = connect(Number(port), "127.0.0.1");
    socket.on("error", () => undefined).pause();
    const head = ["GET /pdb/query/v4/facts HTTP/1.1", "host: localhost", "x-census-incomplete: accept", "", ""];
    socket.write(head.join("\r\n"));
    await setTimeout(500);
    await early.service.hide();
    await store.close();
    socket.destroy();
    expect((await early.get("/pdb/query/v4/nodes")).status).toBe(503);
  });

  it("requests that wait get 503 if nothing becomes ready", async () => {
    const store = await emptyStore();
    const early = await serve();
    early.service.show(store);
    await early.service.hide();
    await store.close();
    const waiting = early.get("/pdb/query/v4/nodes", accepting);
    await setTimeout(100);
    await early.service.close();
    expect((await waiting).status).toBe(503);
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

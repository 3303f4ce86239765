import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { emptyStore } from "#test/fixture-store.ts";
import { serveMetrics, type ServedMetrics } from "#test/app/metrics/fixture-metrics.ts";

let service: ServedMetrics;
beforeAll(async () => {
  service = await serveMetrics(await emptyStore());
});
afterAll(() => service.close());

describe("redirects", () => {
  it.each([
    ["text/html,application/xhtml+xml,*/*;q=0.8", "/explorer/"],
    ["*/*", "/pdb/dashboard/index.html"],
    ["application/json", "/pdb/dashboard/index.html"],
  ])("from the root are relative, and lead clients that accept %s to %s", async (accept, location) => {
    const { status, headers } = await service.get("/", { accept });
    expect([status, headers["location"], headers["vary"]]).toEqual([302, location, "Accept"]);
  });

  it.each(["/pdb", "/pdb/"])("from %s contain the host", async (path) => {
    const { status, headers, text } = await service.get(path);
    expect([status, headers["location"], text]).toEqual([302, `${service.url}/pdb/dashboard/index.html`, ""]);
  });
});

describe("the overview", () => {
  it("is a page that loads nothing from other hosts", async () => {
    const { status, headers, text } = await service.get("/pdb/dashboard/index.html");
    expect(status).toBe(200);
    expect(headers["content-security-policy"]).toContain("default-src 'none'");
    expect(text).toMatch(/^<!DOCTYPE html>/);
    expect(text).not.toMatch(/https?:\/\//);
  });

  it("gets its figures as a list", async () => {
    const { text } = await service.get("/pdb/dashboard/data");
    const meters = JSON.parse(text) as { id: string; value: number | null }[];
    expect(meters).toHaveLength(19);
    expect(meters[0]).toMatchObject({ id: "heap", format: ".3s", value: expect.any(Number) as number });
    // Nothing has been counted by anybody.
    expect(meters.find(({ id }) => id === "processed")).toMatchObject({ value: null });
  });

  it.each(["/pdb/dashboard", "/pdb/nope"])("is not found at %s", async (path) => {
    expect(await service.get(path)).toMatchObject({ status: 404, text: "Not Found" });
  });
});

describe("unknown paths", () => {
  it("return JSON to clients that accept JSON", async () => {
    const { status, headers, text } = await service.get("/favicon.ico", { accept: "application/json" });
    expect([status, headers["content-type"]]).toEqual([404, "application/json"]);
    expect(JSON.parse(text)).toEqual({ message: "Not Found", url: "/favicon.ico", status: "404" });
  });

  it("return a page to other clients", async () => {
    const { status, headers } = await service.get("/favicon.ico");
    expect([status, headers["content-type"]]).toEqual([404, "text/html;charset=iso-8859-1"]);
  });
});

describe("/pdb/meta/v1", () => {
  it.each([
    ["version", '{\n  "version" : "8.8.1"\n}'],
    ["version/latest", '{\n  "newer" : false,\n  "version" : "8.8.1",\n  "link" : null\n}'],
    ["server-time", '{\n  "server_time" : "2026-11-21T00:00:00.000Z"\n}'],
  ])("%s", async (name, text) => {
    expect(await service.get(`/pdb/meta/v1/${name}`)).toMatchObject({ status: 200, text });
    expect(await service.send("POST", `/pdb/meta/v1/${name}`)).toMatchObject({ status: 200 });
  });

  it("checks Accept, and has no other paths", async () => {
    expect(await service.get("/pdb/meta/v1/version", { accept: "text/html" })).toMatchObject({
      status: 406,
      text: expect.stringContaining("must include application/json"),
    });
    expect(await service.get("/pdb/meta/v1/nope")).toMatchObject({ status: 404, text: "Not Found" });
    expect(await service.get("/pdb/meta/v2/version")).toMatchObject({ status: 404, text: "Not Found" });
  });
});

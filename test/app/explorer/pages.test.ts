import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pageHeaders } from "#app/explorer/headers.ts";
import { serve, type Served } from "#test/app/fixture-service.ts";
import { emptyStore } from "#test/fixture-store.ts";

let service: Served;
let page: string;
let main: string;
beforeAll(async () => {
  service = await serve(await emptyStore());
  page = (await service.get("/explorer/")).text;
  main = /<script type="module" src="(?<path>[^"]+)"/.exec(page)?.groups?.["path"] ?? "";
});
afterAll(() => service.close());

/** What the page links, in its order. */
const linked = (): string[] => [...page.matchAll(/(?:href|src)="(\/explorer\/[^"]+)"/g)].map(([, path = ""]) => path);

function withoutPreloaded(text: string): string {
  return text.replaceAll(/<link rel="modulepreload"[^>]*>\n/g, "");
}

describe("the page", () => {
  it("is the same at every path below /explorer, except for the files that it preloads", async () => {
    for (const path of ["/explorer", "/explorer/nodes/a.example.com/facts", "/explorer/nope", "/explorer/a/%2F/b"]) {
      const { status, text } = await service.get(path);
      expect([status, withoutPreloaded(text)]).toEqual([200, withoutPreloaded(page)]);
      expect(text.length).toBeLessThanOrEqual(2048);
    }
    expect((await service.get("/explorer")).text).toBe(page);
    expect((await service.get("/explorer/nodes/a%2Fb")).text).not.toBe(page);
  });

  it("is small, contains no data and no inline script, and has a text for browsers without JavaScript", () => {
    expect(page.length).toBeLessThanOrEqual(2048);
    expect(page).toMatch(/^<!doctype html>\n<html lang="en">/);
    expect(page).not.toMatch(/<script(?![^>]* src=)|<style|style=|https?:/);
    expect(page).toMatch(/<noscript>[^]*\/pdb\/query\/v4[^]*census query[^]*<\/noscript>/);
  });

  it("loads the theme before the first paint, and preloads the modules of the program", () => {
    const [icon, theme, style, first, ...others] = linked();
    expect([icon, theme, style]).toEqual([
      expect.stringMatching(/^\/explorer\/assets\/icon-\w+\.svg$/),
      expect.stringMatching(/^\/explorer\/assets\/theme-\w+\.js$/),
      expect.stringMatching(/^\/explorer\/assets\/style-\w+\.css$/),
    ]);
    expect([first, others.at(-1)]).toEqual([main, main]);
    const preloaded = [...page.matchAll(/<link rel="modulepreload" href="(?<path>[^"]+)">/g)];
    expect(preloaded.map(({ groups }) => groups?.["path"])).toEqual([first, ...others.slice(0, -1)]);
    expect(others).toContainEqual(expect.stringMatching(/^\/explorer\/assets\/page-\w+\.js$/));
  });

  it("has the content security policy and other headers, and is revalidated each time", async () => {
    const { headers } = await service.get("/explorer/");
    expect(headers).toMatchObject(pageHeaders);
    expect(headers).toMatchObject({
      "content-type": "text/html;charset=utf-8",
      "cache-control": "no-cache",
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "content-security-policy": expect.stringMatching(
        /^default-src 'none'; script-src 'self'; style-src 'self'; .*trusted-types 'none'$/,
      ),
    });
    const known = await service.get("/explorer", { "if-none-match": headers["etag"] as string });
    expect(known).toMatchObject({ status: 304, text: "" });
    expect(known.headers["etag"]).toBe(headers["etag"]);
  });

  it("accepts GET and HEAD, and no other method", async () => {
    expect(await service.send("HEAD", "/explorer/nodes")).toMatchObject({ status: 200, text: "" });
    for (const path of ["/explorer/nodes", main]) {
      const { status, headers } = await service.send("POST", path, "{}");
      expect([status, headers["allow"]]).toEqual([405, "GET, HEAD"]);
    }
  });
});

describe("a file of the page", () => {
  it("is compressed if the client accepts it, and cached without revalidation", async () => {
    for (const path of linked()) {
      const plain = await service.get(path);
      expect(plain).toMatchObject({ status: 200, headers: { "cache-control": "max-age=31536000, immutable" } });
      expect(plain.headers["content-encoding"]).toBeUndefined();
      expect(plain.headers["vary"]).toBe("Accept-Encoding");
      const known = await service.get(path, { "if-none-match": `"other", ${plain.headers["etag"] as string}` });
      expect(known).toMatchObject({ status: 304, text: "" });
    }
    const response = await fetch(service.url + main, { headers: { "accept-encoding": "gzip" } });
    expect(response.headers.get("content-encoding")).toBe("gzip");
    expect(await response.text()).toBe((await service.get(main)).text);
  });

  it("has the content type of its extension", async () => {
    const types = await Promise.all(linked().map(async (path) => (await service.get(path)).headers["content-type"]));
    const [icon, theme, style, ...programs] = types;
    expect([icon, theme, style]).toEqual(["image/svg+xml", "text/javascript;charset=utf-8", "text/css;charset=utf-8"]);
    expect(new Set(programs)).toEqual(new Set(["text/javascript;charset=utf-8"]));
  });

  it("is not found under another name", async () => {
    for (const name of ["main.js", "main-00000000.js", "main.tsx", "", "__proto__", "a/b"]) {
      expect([name, (await service.get(`/explorer/assets/${name}`)).status]).toEqual([name, 404]);
    }
    // Dots are resolved before: these are addresses of the page.
    for (const name of ["../main.tsx", "%2e%2e/theme.ts"]) {
      expect(await service.get(`/explorer/assets/${name}`)).toMatchObject({
        status: 200,
        text: expect.stringMatching(/^<!doctype html>/),
      });
    }
  });

  it("exists for each page that is loaded on demand", async () => {
    const texts = await Promise.all(linked().map(async (path) => (await service.get(path)).text));
    const parts = texts.flatMap((text) => [...text.matchAll(/import\("(?<path>[^"]+)"\)/g)]);
    const paths = parts.map(({ groups }) => new URL(groups?.["path"] ?? "", service.url + main).pathname);
    expect(paths.length).toBeGreaterThan(15);
    const [part = ""] = paths;
    expect(await service.get(part)).toMatchObject({ status: 200 });
    expect(gunzipSync(await zipped(part)).toString()).toBe((await service.get(part)).text);
  });
});

/** The bytes as they are sent. */
async function zipped(path: string): Promise<Buffer> {
  const { request } = await import("node:http");
  return new Promise((resolve, reject) => {
    request(service.url + path, { headers: { "accept-encoding": "gzip" } }, (response) => {
      const pieces: Buffer[] = [];
      response.on("data", (piece: Buffer) => pieces.push(piece)).on("end", () => resolve(Buffer.concat(pieces)));
    })
      .on("error", reject)
      .end();
  });
}

describe("below the endpoints", () => {
  it("unknown paths return no page", async () => {
    for (const path of ["/explorer/api", "/explorer/api/v1", "/explorer/api/v1/nope", "/explorer/api/v2/about"]) {
      expect(await service.get(path)).toMatchObject({
        status: 404,
        headers: { "content-type": expect.stringMatching(/^text\/plain/) },
      });
    }
  });
});

describe("without the explorer", () => {
  it("paths below /explorer return 404, and the root redirects to the overview page", async () => {
    const off = await serve(await emptyStore(), { explorer: { enabled: false } });
    for (const path of [
      "/explorer",
      "/explorer/",
      "/explorer/nodes",
      main,
      "/explorer/api/v1/about",
      "/explorer/x/y",
    ]) {
      expect([path, (await off.get(path, { accept: "text/html" })).status]).toEqual([path, 404]);
    }
    const { headers } = await off.get("/", { accept: "text/html" });
    expect([headers["location"], headers["vary"]]).toEqual(["/pdb/dashboard/index.html", undefined]);
    expect((await off.get("/openapi.json")).text).not.toContain("/explorer");
    await off.close();
  });
});

import { expect, it } from "vitest";
import { census, SAMPLE, startServer } from "#test/cli/census.ts";
import { executable } from "#test/program.ts";

it.skipIf(executable === undefined)("the packaged program has the explorer inside", async () => {
  const server = await startServer(["open", SAMPLE, "--port", "0"]);
  try {
    const page = await fetch(`${server.url}/explorer/nodes`);
    expect(page.headers.get("content-security-policy")).toMatch(/^default-src 'none'/);
    const linked = [...(await page.text()).matchAll(/(?:href|src)="(\/explorer\/assets\/[^"]+)"/g)];
    expect(linked.length).toBeGreaterThan(5);
    for (const [, path = ""] of linked) {
      const [zipped, plain] = await Promise.all(
        ["gzip", "identity"].map((encoding) => fetch(server.url + path, { headers: { "accept-encoding": encoding } })),
      );
      expect([path, zipped?.status, zipped?.headers.get("content-encoding")]).toEqual([path, 200, "gzip"]);
      expect([path, plain?.status, plain?.headers.get("content-encoding")]).toEqual([path, 200, null]);
      expect(await zipped?.text()).toBe(await plain?.text());
    }
    expect(await (await fetch(`${server.url}/explorer/api/v1/about`)).json()).toMatchObject({
      source: { kind: "archive", name: "sample.tgz" },
      state: "ready",
      clock: "fixed",
      counts: { nodes: 40 },
    });
    expect(await census(["status", "--url", server.url])).toMatchObject({ code: 0 });
  } finally {
    expect(await server.stop()).toBe(0);
  }
});

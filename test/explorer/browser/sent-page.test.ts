import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { htmlOf } from "#storage/output/html/rows.ts";
import { batchesOf, joined } from "../../storage/output/batches.ts";
import { hostileTexts } from "../hostile-texts.ts";
import { browse, describeInBrowser } from "./browser.ts";

/** A page whose every text is hostile, and the server that it comes from. */
const page = await joined(
  htmlOf(batchesOf([hostileTexts.map((text) => JSON.stringify({ [text]: text, value: text }))]), {
    columns: [...hostileTexts.slice(0, 20), "value"],
    page: { title: hostileTexts.join(" "), source: hostileTexts.join(" "), query: hostileTexts.join("\n") },
  }),
);
const server = createServer((request, response) => {
  response.writeHead(request.url === "/" ? 200 : 204, { "content-type": "text/html;charset=utf-8" });
  response.end(request.url === "/" ? page : undefined);
});

beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
});
afterAll(() => server.close());

describeInBrowser("a page that is sent", () => {
  it.each(["light", "dark"] as const)("neither runs nor loads anything that hostile texts name (%s)", async (theme) => {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    await using visit = await browse(url, { theme, settles: false });
    const shown = await visit.page.evaluate(() => ({
      elements: [...new Set([...document.querySelectorAll("*")].map(({ localName }) => localName))].sort(),
      values: [...document.querySelectorAll("tbody tr td:last-child")].map(({ textContent }) => textContent),
      ground: getComputedStyle(document.body).backgroundColor,
    }));
    const known =
      "body code dd dl dt h1 head html meta p pre span style table tbody td th thead title tr div time".split(" ");
    expect(shown.elements.filter((name) => !known.includes(name))).toStrictEqual([]);
    const plain = hostileTexts.filter((text) => !/[^\n\t -~]|\r/.test(text));
    expect(plain.length).toBeGreaterThan(30);
    for (const text of plain) expect(shown.values).toContain(text);
    // The style is in use: the policy names its digest.
    expect(shown.ground).toBe(theme === "light" ? "rgb(255, 255, 255)" : "rgb(15, 20, 25)");
  });
});

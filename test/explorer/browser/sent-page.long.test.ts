import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { htmlOf } from "#storage/output/html/rows.ts";
import { batchesOf, joined } from "../../storage/output/batches.ts";
import { hostileTexts } from "../hostile-texts.ts";
import { browse, describeInBrowser } from "./browser.ts";
import { json, rows } from "./rows.ts";
import { serverOf } from "./serve.ts";
import type { Visit } from "./visit.ts";

/** A page whose every text is hostile, and the server that it comes from. */
const page = await joined(
  htmlOf(batchesOf([hostileTexts.map((text) => JSON.stringify({ [text]: text, value: text }))]), {
    columns: [...hostileTexts.slice(0, 20), "value"],
    page: { title: hostileTexts.join(" "), source: hostileTexts.join(" "), query: hostileTexts.join("\n") },
  }),
);
/** A page that was saved from the explorer. */
let saved = "";
const server = createServer(({ url }, response) => {
  // A window of its own begins at /robots.txt.
  const content = url === "/" ? page : url === "/saved" ? saved : url === "/robots.txt" ? "" : undefined;
  response.writeHead(content === undefined ? 204 : 200, { "content-type": "text/html;charset=utf-8" });
  response.end(content);
});

beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
});
afterAll(() => server.close());

/** Saves what a page shows, and opens it as somebody does who got it. */
async function savedFrom(address: string): Promise<Visit> {
  await using visit = await browse(address);
  const waiting = visit.page.waitForEvent("download");
  await visit.page.getByRole("button", { name: "HTML page" }).click();
  const download = await waiting;
  expect(download.suggestedFilename()).toMatch(/^(?:report-[0-9a-f]{8}|comparison)\.html$/);
  saved = await readFile(await download.path(), "utf8");
  return browse(`http://127.0.0.1:${(server.address() as AddressInfo).port}/saved`, { settles: false });
}

/** What it has of elements that lead elsewhere or do something. */
async function activeElements({ page: shown }: Visit): Promise<number> {
  return shown.locator("a, button, input, select, textarea, script, link, img, iframe, object, embed, form").count();
}

describeInBrowser("a page that is sent", () => {
  it("is a report with its whole log, all events and metrics", async () => {
    const url = await serverOf("sample");
    const [report] = await rows<{ hash: string; certname: string }>(
      url,
      'reports[hash, certname]{ certname ~ "^historian-0010" and status = "failed" order by producer_timestamp desc limit 1 }',
    );
    const [hash = "", certname = ""] = [report?.hash, report?.certname];
    await using visit = await savedFrom(`${url}/explorer/reports/${hash}?level=debug`);
    expect(await activeElements(visit)).toBe(0);
    const lines = await json<unknown[]>(`${url}/pdb/query/v4/reports/${hash}/logs`);
    const metrics = await json<unknown[]>(`${url}/pdb/query/v4/reports/${hash}/metrics`);
    const events = await rows<unknown>(url, `events[property]{ report = "${hash}" }`);
    const count = async (selector: string): Promise<number> => visit.page.locator(selector).count();
    expect(await count(".log-line")).toBe(lines.length);
    expect(await count(".event")).toBe(events.length);
    expect(await count(".report-metrics tbody tr")).toBe(metrics.length);
    // A browser's own sheet loses shorthands with variables.
    expect(await visit.page.evaluate(() => getComputedStyle(document.body).fontFamily)).toContain("sans-serif");
    const text = await visit.page.locator("body").innerText();
    expect(text).toContain(certname);
    expect(text).toMatch(/From .*, as of 2026-11-20 12:00 UTC; http:/);
  });

  it("is a comparison with all of its parts", async () => {
    const url = await serverOf("sample");
    const nodes = await rows<{ certname: string }>(
      url,
      'package_inventory[certname]{ provider = "dnf" order by certname }',
    );
    const [left = "", right = ""] = [nodes[0]?.certname, nodes.at(-1)?.certname];
    const address = `${url}/explorer/compare?${new URLSearchParams({ left, right }).toString()}`;
    let parts: readonly string[];
    {
      await using shown = await browse(address);
      const tabs = shown.page.getByRole("navigation", { name: "Parts of the comparison" }).getByRole("link");
      parts = await tabs.allInnerTexts();
    }
    await using visit = await savedFrom(address);
    expect(await activeElements(visit)).toBe(0);
    const count = async (label: string, selector: string): Promise<number> =>
      visit.page.locator(`section[aria-label="${label}"] ${selector}`).count();
    expect(parts).toStrictEqual(
      [
        `Facts (${await count("Facts", "tbody tr")})`,
        `Resources (${(await count("Resources", ".compare-resources > li")) + (await count("Resources", ".compare-only > li"))})`,
        `Edges (${await count("Edges", ".compare-only > li")})`,
        `Packages (${await count("Packages", "tbody tr")})`,
      ].map((part) => part.replace(/\d{4,}/, (digits) => Number(digits).toLocaleString("en-GB"))),
    );
    const text = await visit.page.locator("body").innerText();
    for (const certname of [left, right]) expect(text).toContain(certname);
  });

  it("neither runs nor loads anything that hostile reports name", async () => {
    const url = await serverOf("hostile");
    const reports = await rows<{ hash: string }>(
      url,
      'reports[hash]{ status = "failed" order by producer_timestamp desc, hash limit 1 }',
    );
    expect(reports.length).toBeGreaterThan(0);
    for (const { hash } of reports) {
      // Its problems end the test: what ran, what was loaded, what the policy refused.
      await using visit = await savedFrom(`${url}/explorer/reports/${hash}?level=debug`);
      expect(await activeElements(visit)).toBe(0);
    }
  });

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

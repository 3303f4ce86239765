import { expect, it } from "vitest";
import type { JsonObject } from "#storage/json.ts";
import { stateCondition, stateKeys, type Silence, silenceAt } from "#storage/states/node-state.ts";
import { browse, describeInBrowser } from "./browser.ts";
import { json } from "./rows.ts";
import { SAMPLE } from "#test/cli/census.ts";
import { serve } from "#test/app/fixture-service.ts";
import { a, time } from "#test/fixture-store.ts";
import type { Timed } from "#test/storage/history/random-commands.ts";
import { TimedStore } from "#test/storage/history/timed-store.ts";
import { openArchive, serverOf } from "./serve.ts";

/** Rows of a query through the interface that all clients use. */
async function rows<Row>(url: string, query: string): Promise<Row[]> {
  const response = await fetch(`${url}/pdb/query/v4`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ query }),
  });
  if (!response.ok) throw new Error(await response.text());
  return (await response.json()) as Row[];
}

async function count(url: string, condition: string): Promise<number> {
  const [row] = await rows<{ count: number }>(url, `nodes[count()]{ ${condition} }`);
  return row?.count ?? 0;
}

async function silence(url: string): Promise<Silence> {
  const about = (await (await fetch(`${url}/explorer/api/v1/about`)).json()) as {
    now: string;
    settings: { silentAfter: number };
  };
  return silenceAt(Date.parse(about.now), 1000 * about.settings.silentAfter);
}

/** A run without events. */
function run(certname: string, at: string, changes: JsonObject = {}): Timed {
  const times = { producer_timestamp: at, start_time: at, end_time: at };
  return { at, submission: a.report(certname, { ...times, logs: [], resources: [], ...changes }) };
}

describeInBrowser("the overview", () => {
  it("counts the nodes in each state as the query of that state does", async () => {
    const url = await serverOf("sample");
    await using visit = await browse(`${url}/explorer/`);
    const since = await silence(url);
    const shown = await visit.page.locator(".state-counts li").allInnerTexts();
    expect(shown).toHaveLength(stateKeys.length);
    const texts = new Map(shown.map((text) => [text.split("\n")[1] ?? text, text]));
    const labels: Readonly<Record<string, string>> = { never: "never reported", hidden: "hidden failure" };
    let all = 0;
    for (const key of stateKeys) {
      const expected = await count(url, stateCondition(key, since));
      all += expected;
      const text = [...texts.values()].find((one) => one.includes(labels[key] ?? key)) ?? "";
      expect(Number.parseInt(text, 10), `${key}: ${text}`).toBe(expected);
    }
    expect(all).toBe(await count(url, "certname is not null"));
  });

  it("leads with what failed, is hidden and silent, with the change since yesterday", async () => {
    const stored = await TimedStore.open();
    const [yesterday, today] = ["2026-11-19T11:30:00Z", "2026-11-20T12:10:00Z"];
    const names = ["alpha", "beta", "gamma", "delta"];
    await stored.goOn(
      names.map((certname) => run(certname, yesterday, certname === "delta" ? { status: "failed" } : {})),
      time("2026-11-19T12:30:00Z"),
    );
    const hidden = { cached_catalog_status: "on_failure" };
    await stored.goOn([run("alpha", today, hidden), run("delta", today)], time("2026-11-20T12:30:00Z"));
    const served = await serve(stored.store, { source: { kind: "data", name: "data" } });
    try {
      await using visit = await browse(`${served.url}/explorer/`);
      const shown = await visit.page.locator(".state-counts .urgent").allInnerTexts();
      expect(shown.map((text) => text.split(/\s*\n\s*/))).toStrictEqual([
        ["0", "failed", "−1 since yesterday"],
        ["1", "hidden failure", "+1 since yesterday"],
        ["2", "silent", "+2 since yesterday"],
      ]);
      await visit.page.getByRole("region", { name: "Issues now" }).getByText("A cached catalog was used").waitFor();
    } finally {
      await served.close();
    }
  });

  it("limits everything to an environment, and keeps it in the address", async () => {
    const url = await serverOf("sample");
    await using visit = await browse(`${url}/explorer/`);
    await visit.page.getByRole("combobox", { name: "Environment" }).selectOption("staging");
    await visit.settled();
    expect(new URL(visit.page.url()).searchParams.get("env")).toBe("staging");
    const failed = await count(
      url,
      `report_environment = "staging" and ${stateCondition("failed", await silence(url))}`,
    );
    const tile = visit.page.locator(".state-counts li", { hasText: "failed" }).first();
    expect(Number.parseInt(await tile.innerText(), 10)).toBe(failed);
    const [resources] = await rows<{ count: number }>(url, 'resources[count()]{ environment = "staging" }');
    await visit.page.getByRole("link", { name: `${resources?.count.toLocaleString("en")} resources` }).waitFor();
    await visit.page.reload();
    await visit.settled();
    expect(Number.parseInt(await tile.innerText(), 10)).toBe(failed);
    await visit.page.getByRole("link", { name: "Nodes", exact: true }).click();
    await visit.settled();
    expect(new URL(visit.page.url()).searchParams.get("env")).toBe("staging");
  });

  it("lists what was corrected apart from what was intended", async () => {
    const url = await serverOf("sample");
    await using visit = await browse(`${url}/explorer/?last=14d`);
    const changes = visit.page.getByRole("region", { name: "What changed" });
    await changes.getByRole("button", { name: "Corrective" }).click();
    await visit.settled();
    const corrected = await rows<{ resource_title: string; certname: string }>(
      url,
      'events[resource_title, certname]{ status = "success" and corrective_change = true }',
    );
    const titles = new Set(corrected.map(({ resource_title: title }) => title));
    const shown = await changes.getByRole("link").allInnerTexts();
    expect(shown.length).toBeGreaterThan(0);
    expect(shown.filter((text) => !titles.has(text.replace(/^[^[]*\[(.*)\]$/, "$1")))).toStrictEqual([]);
    await visit.page.goBack();
    await visit.settled();
    expect(await changes.getByRole("button", { name: "Intended" }).getAttribute("aria-pressed")).toBe("true");
  });

  it("says how data get here while nothing is stored", async () => {
    const url = await serverOf("empty");
    await using visit = await browse(`${url}/explorer/`);
    const text = await visit.text();
    expect(text).toContain("Nothing is stored yet");
    expect(text).toContain(`census import export.tgz --url ${url}`);
  });
});

describeInBrowser("the frame", () => {
  it("finds a node by a part of its name, with the keyboard alone", async () => {
    const url = await serverOf("sample");
    const [node] = await rows<{ certname: string }>(url, "nodes[certname]{ order by certname limit 1 }");
    const certname = node?.certname ?? "";
    await using visit = await browse(`${url}/explorer/`);
    await visit.page.keyboard.press("Control+k");
    await visit.page.keyboard.type(`n: ${certname.slice(0, 12).toUpperCase()}`);
    await visit.page.getByRole("option", { name: certname }).waitFor();
    await visit.page.keyboard.press("Enter");
    await visit.settled();
    expect(new URL(visit.page.url()).pathname).toBe(`/explorer/nodes/${certname}`);
    expect(await visit.page.locator("h1").innerText()).toContain(certname);
    // The heading has the focus, so that a screen reader begins there.
    expect(await visit.page.evaluate(() => document.activeElement?.localName)).toBe("h1");
  });

  it("shows the queries of the page, each of which the server accepts", async () => {
    const url = await serverOf("sample");
    await using visit = await browse(`${url}/explorer/`);
    await visit.page.keyboard.press(".");
    const dialog = visit.page.getByRole("dialog", { name: "Queries of this page" });
    await dialog.waitFor();
    const queries = await dialog.locator("pre").allInnerTexts();
    expect(queries.length).toBeGreaterThan(4);
    for (const query of queries) await rows(url, query);
    await visit.page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    // A key opened it without anything being focused.
    expect(await visit.page.evaluate(() => document.activeElement?.localName)).toBe("h1");
  });

  it("goes to pages by two keys, but not while a text is being written", async () => {
    const url = await serverOf("sample");
    await using visit = await browse(`${url}/explorer/`);
    for (const [keys, path] of [
      ["gs", "/explorer/status"],
      ["gw", "/explorer/wall"],
      ["go", "/explorer/"],
    ] as const) {
      for (const key of keys) await visit.page.keyboard.press(key);
      await visit.page.waitForURL(`${url}${path}`);
    }
    await visit.settled();
    await visit.page.keyboard.press("Control+k");
    await visit.page.keyboard.type("gs?.");
    expect(visit.page.url()).toBe(`${url}/explorer/`);
    expect(await visit.page.getByRole("combobox", { name: /^Search/ }).inputValue()).toBe("gs?.");
  });

  it("opens its search before the next key can be pressed", async () => {
    const url = await serverOf("sample");
    await using visit = await browse(`${url}/explorer/`);
    const focused = await visit.page.evaluate(async () => {
      dispatchEvent(new KeyboardEvent("keydown", { key: "k", ctrlKey: true }));
      // Promises of the handler have run once a later promise has; no frame was drawn meanwhile.
      await Promise.resolve();
      return document.activeElement?.getAttribute("role");
    });
    expect(focused).toBe("combobox");
  });

  it("remembers the first of two keys when the page changes between them", async () => {
    const url = await serverOf("sample");
    await using visit = await browse(`${url}/explorer/`);
    await visit.page.evaluate(async () => {
      dispatchEvent(new KeyboardEvent("keydown", { key: "g" }));
      // The router renders everything again.
      history.pushState(undefined, "", "?zone=utc");
      dispatchEvent(new PopStateEvent("popstate"));
      await new Promise((resolve) => setTimeout(resolve, 100));
      dispatchEvent(new KeyboardEvent("keydown", { key: "w" }));
    });
    await visit.page.waitForURL(/\/explorer\/wall/);
    expect(new URL(visit.page.url()).pathname).toBe("/explorer/wall");
  });

  it("remembers theme and zone", async () => {
    const url = await serverOf("sample");
    await using visit = await browse(`${url}/explorer/help`, { theme: "light" });
    const ground = async (): Promise<string> =>
      visit.page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await ground();
    await visit.page.getByRole("button", { name: "Theme: as the system" }).click();
    await visit.page.getByRole("button", { name: "Theme: light" }).click();
    const dark = await ground();
    expect(dark).not.toBe(light);
    await visit.page.getByRole("button", { name: "Local time" }).click();
    await visit.page.reload();
    await visit.settled();
    expect(await ground()).toBe(dark);
    expect(await visit.page.getByRole("button", { name: "UTC" }).isVisible()).toBe(true);
    // What was remembered may be changed again, at an address that does not name a zone.
    await visit.go(`${url}/explorer/help`);
    await visit.page.getByRole("button", { name: "UTC" }).click();
    await visit.page.getByRole("link", { name: "Status", exact: true }).first().click();
    await visit.settled();
    expect(new URL(visit.page.url()).pathname).toBe("/explorer/status");
    expect(await visit.page.getByRole("button", { name: "Local time" }).isVisible()).toBe(true);
  });

  it("names the path of a page that does not exist", async () => {
    const url = await serverOf("sample");
    await using visit = await browse(`${url}/explorer/nowhere`);
    expect(await visit.text()).toContain("/explorer/nowhere");
  });
});

describeInBrowser("the wall", () => {
  it("shows all states by default, so that the tiles add up to the nodes", async () => {
    const url = await serverOf("sample");
    await using visit = await browse(`${url}/explorer/wall`);
    const counts = await visit.page.locator(".wall-tile strong").allInnerTexts();
    const [all] = await rows<{ count: number }>(url, "nodes[count()]{}");
    expect(counts.reduce((sum, count) => sum + Number(count.replace(/\D/g, "")), 0)).toBe(all?.count);
  });

  it("says in large letters since when it has no data, and shows the old ones faintly", async () => {
    const server = await openArchive(SAMPLE);
    const expected = [/ERR_CONNECTION_REFUSED|ERR_EMPTY_RESPONSE|ERR_CONNECTION_RESET/];
    await using visit = await browse(`${server.url}/explorer/wall`, { expected });
    const away = visit.page.locator(".wall-away");
    expect(await away.count()).toBe(0);
    await server.stop();
    await expect
      .poll(() => away.allInnerTexts(), { timeout: 60_000 })
      .toStrictEqual([expect.stringMatching(/^No data since \d\d:\d\d/) as string]);
    const opacity = visit.page.locator(".wall-tiles").evaluate((tiles) => getComputedStyle(tiles).opacity);
    expect(Number(await opacity)).toBeLessThan(0.5);
  });

  it("shows the chosen states in large figures, without a menu", async () => {
    const url = await serverOf("sample");
    await using visit = await browse(`${url}/explorer/wall?tiles=failed,silent`);
    const since = await silence(url);
    const tiles = await visit.page.locator(".wall-tile").allInnerTexts();
    expect(tiles.map((text) => Number.parseInt(text, 10))).toStrictEqual([
      await count(url, stateCondition("failed", since)),
      await count(url, stateCondition("silent", since)),
    ]);
    expect(await visit.page.getByRole("navigation").count()).toBe(0);
  });
});

describeInBrowser("the status page", () => {
  it("shows the state of the service, its meters and the attributes of an MBean", async () => {
    const url = await serverOf("sample");
    await using visit = await browse(`${url}/explorer/status`);
    expect(await visit.page.getByRole("region", { name: "Service" }).innerText()).toContain("running");
    const nodes = await count(url, "certname is not null");
    expect(await visit.page.getByRole("region", { name: "Meters" }).innerText()).toContain(`${nodes}\nActive nodes`);
    const { store } = await json<{ store: { bytes: number } }>(`${url}/explorer/api/v1/about`);
    const stored = await visit.page.getByRole("region", { name: "Stored" }).innerText();
    expect(stored).toMatch(new RegExp(`Size\\s+${(store.bytes / 1024 ** 2).toFixed(1)} MiB`));
    const beans = visit.page.getByRole("region", { name: "MBeans" });
    await beans.getByLabel("Filter MBeans by name").fill("num-active");
    await beans.getByRole("button", { name: "puppetlabs.puppetdb.population:name=num-active-nodes" }).click();
    await beans.getByRole("rowheader", { name: "Value" }).waitFor();
    expect(await beans.getByRole("row", { name: `Value ${nodes}` }).count()).toBe(1);
  });

  it("reads only the metrics that it shows", async () => {
    const url = await serverOf("sample");
    await using visit = await browse(`${url}/explorer/status`);
    const requests = await visit.page.getByRole("region", { name: "Requests" }).getByRole("row").allInnerTexts();
    expect(requests.some((row) => /^\/explorer\s+[1-9]/.test(row))).toBe(true);
    const read = visit.requests.filter((path) => path.startsWith("/metrics/v2/"));
    const sizes = read.map(async (path) => (await (await fetch(url + path)).arrayBuffer()).byteLength);
    const total = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
    expect(total).toBeGreaterThan(1000);
    expect(total).toBeLessThan(60_000);
  });
});

import { afterAll, beforeAll, expect, it } from "vitest";
import { serve, type Served } from "#test/app/fixture-service.ts";
import { a, emptyStore } from "#test/fixture-store.ts";
import { classResource } from "#test/storage/wire/payloads.ts";
import { browse, describeInBrowser } from "./browser.ts";
import { csvLines, rows } from "./rows.ts";
import { serverOf } from "./serve.ts";
import type { Visit } from "./visit.ts";

interface Counted {
  readonly type: string;
  readonly count: number;
}

interface Resource {
  readonly certname: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** The texts of the cells of a table's first rows. */
async function cells(visit: Visit, table: string, count: number): Promise<string[][]> {
  return visit.page.getByRole("grid", { name: table }).evaluate((grid, most) => {
    const found = [...grid.querySelectorAll<HTMLElement>("[data-index]")];
    return found
      .sort((one, other) => Number(one.dataset["index"]) - Number(other.dataset["index"]))
      .slice(0, most)
      .map((row) => [...row.querySelectorAll("[role=gridcell]")].map((cell) => cell.textContent.trim()));
  }, count);
}

async function rowCount(visit: Visit, table: string): Promise<number> {
  return Number(await visit.page.getByRole("grid", { name: table }).getAttribute("aria-rowcount")) - 1;
}

async function exportedLines(visit: Visit, url: string, scope = visit.page.locator("main")): Promise<number> {
  await scope.getByRole("button", { name: "Export" }).first().click();
  const link = await scope.getByRole("menuitem", { name: "CSV", exact: true }).first().getAttribute("href");
  await visit.page.keyboard.press("Escape");
  return (await csvLines(new URL(link ?? "", url).href)).length;
}

/** A resource on several nodes whose parameter `name` has several values. */
async function spreadResource(
  url: string,
): Promise<{ type: string; title: string; name: string; resources: readonly Resource[] }> {
  const found = await rows<Resource & { type: string; title: string }>(
    url,
    'resources[certname, type, title, parameters]{ type in ["Service", "File", "Package", "Class"] }',
  );
  const byTitle = Map.groupBy(found, ({ type, title }) => `${type} ${title}`);
  for (const resources of byTitle.values()) {
    const [first] = resources;
    if (first === undefined || resources.length < 5) continue;
    for (const name of Object.keys(first.parameters)) {
      const values = resources.map(({ parameters }) => parameters[name]);
      if (values.every((value) => typeof value === "number") && new Set(values).size === 2) {
        return { type: first.type, title: first.title, name, resources };
      }
    }
  }
  throw new Error("the sample has no such resource");
}

/** Starting takes long where other tests use the processors. */
async function startSample(): Promise<void> {
  await serverOf("sample");
}

describeInBrowser("the page of resources", () => {
  beforeAll(startSample);

  it("counts the resources and nodes of each type as the queries do", async () => {
    const url = await serverOf("sample");
    const types = await rows<Counted>(url, "resources[type, count()]{ group by type }");
    await using visit = await browse(`${url}/explorer/resources`);
    expect(await rowCount(visit, "Types")).toBe(types.length);
    const expected = types.toSorted((one, other) => other.count - one.count).slice(0, 5);
    const shown = await cells(visit, "Types", 5);
    expect(shown.map((row) => row[2])).toEqual(expected.map(({ count }) => count.toLocaleString("en-GB")));
    const [type = "", nodes] = shown[0] ?? [];
    const certnames = await rows<unknown>(url, `resources[certname, count()]{ type = "${type}" group by certname }`);
    expect(nodes).toBe(String(certnames.length));
    expect(await exportedLines(visit, url)).toBe(types.length);
  });

  it("leads by keys from a type over a title to the resource, and back", async () => {
    const url = await serverOf("sample");
    await using visit = await browse(`${url}/explorer/resources`);
    const { page } = visit;
    await page.keyboard.press("/");
    await page.keyboard.type("service");
    await expect.poll(async () => rowCount(visit, "Types")).toBe(1);
    await page.getByRole("grid", { name: "Types" }).focus();
    await page.keyboard.press("Enter");
    await page.waitForURL("**/explorer/resources?type=Service");
    await visit.settled();
    const titles = await rows<unknown>(url, 'resources[title, count()]{ type = "Service" group by title }');
    expect(await rowCount(visit, "Titles")).toBe(titles.length);
    const [[title = ""] = []] = await cells(visit, "Titles", 1);
    await page.getByRole("grid", { name: "Titles" }).focus();
    await page.keyboard.press("Enter");
    const heading = page.getByRole("heading", { level: 1 });
    await expect.poll(async () => heading.innerText()).toBe(`Service[${title}]`);
    await page.goBack();
    await expect.poll(async () => heading.innerText()).toBe("Service");
    await visit.settled();
    expect(await rowCount(visit, "Titles")).toBe(titles.length);
    await page.goBack();
    await expect.poll(async () => heading.innerText()).toBe("Resources");
    await visit.settled();
    expect(await rowCount(visit, "Types")).toBe(1);
  });

  it("finds titles by a part of them, in any case", async () => {
    const url = await serverOf("sample");
    const titles = await rows<{ title: string }>(url, 'resources[title, count()]{ type = "File" group by title }');
    const expected = titles.filter(({ title }) => title.toLowerCase().includes("/etc/chrony")).length;
    expect(expected).toBeGreaterThan(0);
    await using visit = await browse(`${url}/explorer/resources?type=File&q=/ETC/chrony`);
    expect(await rowCount(visit, "Titles")).toBe(expected);
    expect(await exportedLines(visit, url)).toBe(expected);
  });
});

describeInBrowser("the page of a resource", () => {
  beforeAll(startSample);

  it("shows how the values of a parameter are spread, and the nodes with one of them", async () => {
    const url = await serverOf("sample");
    const { type, title, name, resources } = await spreadResource(url);
    const address = new URLSearchParams({ type, title }).toString();
    await using visit = await browse(`${url}/explorer/resource?${address}`);
    const { page } = visit;
    const table = "Nodes with the resource";
    await page.getByRole("link", { name: `Nodes (${resources.length})` }).waitFor();
    const counts = new Map<unknown, number>();
    for (const { parameters } of resources) counts.set(parameters[name], (counts.get(parameters[name]) ?? 0) + 1);
    const spread = page.getByRole("table", { name: `Nodes by value of ${name}` });
    for (const [value, count] of counts) {
      const row = spread
        .getByRole("row")
        .filter({ has: page.getByRole("button", { name: String(value), exact: true }) });
      expect(await row.locator("td").first().innerText()).toBe(String(count));
    }
    const [[value, count] = [undefined, 0]] = counts;
    await spread.getByRole("button", { name: String(value), exact: true }).click();
    await expect.poll(async () => rowCount(visit, table)).toBe(count);
    await page.reload();
    await visit.settled();
    expect(await rowCount(visit, table)).toBe(count);
    expect(await exportedLines(visit, url)).toBe(count);
    await page.goBack();
    await spread.waitFor();
  });

  it("lists its events of the time range", async () => {
    const url = await serverOf("sample");
    const [event] = await rows<{ resource_type: string; resource_title: string; count: number }>(
      url,
      'events[resource_type, resource_title, count()]{ status = "success" group by resource_type, resource_title }',
    );
    const { resource_type: type = "", resource_title: title = "" } = event ?? {};
    const where = `resource_type = ${JSON.stringify(type)} and resource_title = ${JSON.stringify(title)}`;
    const events = await rows<{ certname: string }>(url, `events[certname]{ ${where} order by timestamp desc }`);
    const address = new URLSearchParams({ type, title, last: "60d", tab: "events" }).toString();
    await using visit = await browse(`${url}/explorer/resource?${address}`);
    expect(await visit.page.getByRole("heading", { name: `Events (${events.length})` }).count()).toBe(1);
    const shown = visit.page.locator(".resource-events > li");
    expect(await shown.count()).toBe(Math.min(20, events.length));
    expect(await shown.first().innerText()).toContain(events[0]?.certname ?? "?");
  });

  it("says which nodes export it", async () => {
    const url = await serverOf("sample");
    const [exported] = await rows<{ certname: string; type: string; title: string }>(
      url,
      "resources[certname, type, title]{ exported = true limit 1 }",
    );
    const { certname = "", type = "", title = "" } = exported ?? {};
    await using visit = await browse(`${url}/explorer/resource?${new URLSearchParams({ type, title }).toString()}`);
    expect(await visit.text()).toContain(`Exported by ${certname}`);
  });
});

const compareTexts = (one: string, other: string): number => one.localeCompare(other);

describeInBrowser("values of a parameter that are lists and maps", () => {
  /** Twice the same beginning, longer than what is shown at first. */
  const servers = Array.from({ length: 12 }, (_, number) => `ntp-${number}.example.com`);
  const other = [...servers.slice(0, -1), "ntp-x.example.com"];
  const options = { retries: 3, backoff: { first: 1 } };
  let served: Served;

  beforeAll(async () => {
    const store = await emptyStore();
    for (const [certname, parameters] of [
      ["web-01", { servers, options }],
      ["web-02", { servers, options: { retries: 4 } }],
      ["web-03", { servers: other, options }],
    ] as const) {
      await store.submit(a.catalog(certname, { resources: [classResource({ title: "Ntp", parameters })], edges: [] }));
    }
    served = await serve(store);
  });
  afterAll(async () => served.close());

  it("are shown whole on demand, and lead to the nodes with one of them", async () => {
    await using visit = await browse(`${served.url}/explorer/resource?type=Class&title=Ntp`);
    const { page } = visit;
    const lists = page.getByRole("table", { name: "Nodes by value of servers" });
    const [cut, alike] = await lists.getByRole("link").allInnerTexts();
    expect(cut).toBe(alike);
    for (let left = 2; left > 0; left--)
      await lists
        .getByRole("button", { name: /^show all/ })
        .first()
        .press("Enter");
    const shown = (await lists.getByRole("link").allInnerTexts()).map((text): unknown => JSON.parse(text));
    expect(shown).toStrictEqual([servers, other]);
    const found = async (): Promise<unknown[]> =>
      [...new Set((await cells(visit, "Result", 3)).map(([certname = ""]) => certname))].toSorted(compareTexts);
    await lists.getByRole("link").nth(1).press("Enter");
    await expect.poll(found).toStrictEqual(["web-03"]);
    await page.goBack();
    const maps = page.getByRole("table", { name: "Nodes by value of options" });
    await maps.getByRole("link", { name: /"retries":\s*3/ }).press("Enter");
    await expect.poll(found).toStrictEqual(["web-01", "web-03"]);
  });
});

describeInBrowser("the page of classes", () => {
  beforeAll(startSample);

  it("lists failing classes first, with their nodes and events of the latest runs", async () => {
    const url = await serverOf("sample");
    const classes = await rows<unknown>(url, 'resources[title, count()]{ type = "Class" group by title }');
    const failures = await rows<{ containing_class: string; certname: string }>(
      url,
      'events[containing_class, certname]{ status = "failure" and latest_report? = true }',
    );
    const nodesOf = (name: string): number =>
      new Set(failures.filter((one) => one.containing_class === name).map(({ certname }) => certname)).size;
    const names = [...new Set(failures.map((one) => one.containing_class))];
    await using visit = await browse(`${url}/explorer/classes`);
    expect(await rowCount(visit, "Classes")).toBe(classes.length);
    const shown = await cells(visit, "Classes", names.length);
    expect(shown.map(([name = ""]) => name).sort()).toEqual(names.sort());
    for (const [name = "", nodes, failing, failure] of shown) {
      const [counted] = await rows<{ count: number }>(
        url,
        `resources[count()]{ type = "Class" and title = "${name}" }`,
      );
      expect([name, nodes, failing, failure]).toEqual([
        name,
        String(counted?.count),
        String(nodesOf(name)),
        String(failures.filter((one) => one.containing_class === name).length),
      ]);
    }
  });
});

describeInBrowser("the page of a class", () => {
  beforeAll(startSample);

  it("shows what a class contains, on how many nodes", async () => {
    const url = await serverOf("sample");
    const edges = await rows<{ target_type: string; target_title: string; count: number }>(
      url,
      'edges[target_type, target_title, count()]{ relationship = "contains" and source_type = "Class" and ' +
        'source_title = "Chrony" group by target_type, target_title }',
    );
    await using visit = await browse(`${url}/explorer/classes`);
    await visit.page.getByRole("link", { name: "Chrony", exact: true }).click();
    await visit.settled();
    expect(await visit.page.getByRole("heading", { level: 1 }).innerText()).toBe("Chrony");
    await visit.page.getByRole("link", { name: "Contains" }).click();
    await visit.settled();
    const contained = await visit.page.locator(".contained li").allInnerTexts();
    expect(contained.map((text) => text.replaceAll(/\s+/g, " ")).sort()).toEqual(
      edges
        .map(
          ({ target_type: type, target_title: title, count }) =>
            `${type}[${title}] ${count} ${count === 1 ? "node" : "nodes"}`,
        )
        .sort(),
    );
  });
});

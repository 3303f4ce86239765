import { beforeAll, expect, it } from "vitest";
import { browse, describeInBrowser } from "./browser.ts";
import { rows } from "./rows.ts";
import { serverOf } from "./serve.ts";

interface Edge {
  readonly source_type: string;
  readonly source_title: string;
  readonly target_type: string;
  readonly target_title: string;
}

let url: string;
/** A failed run because of which resources were skipped. */
let run: { certname: string; hash: string };
let failed: string;

/** The resources of the list, by the heading above them. */
const listed = (all: readonly Element[]): Record<string, (string | undefined)[]> =>
  Object.fromEntries(
    all.map((section) => [
      section.querySelector("h3")?.textContent ?? "",
      [...section.querySelectorAll("li a")].map(({ textContent }) => textContent ?? undefined).sort(),
    ]),
  );

describeInBrowser("the graph of a resource", () => {
  beforeAll(async () => {
    url = await serverOf("sample");
    const [found] = await rows<{ certname: string; hash: string }>(
      url,
      'reports[certname, hash]{ latest_report? = true and certname in events[certname]{ status = "skipped" and latest_report? = true } order by producer_timestamp desc limit 1 }',
    );
    run = found ?? { certname: "", hash: "" };
    const [event] = await rows<{ resource_type: string; resource_title: string }>(
      url,
      `events[resource_type, resource_title]{ report = "${run.hash}" and status = "failure" }`,
    );
    failed = `${event?.resource_type}[${event?.resource_title}]`;
  });

  it("lists what comes directly before and after it, and leads on by the keyboard", async () => {
    const [edge] = await rows<Edge>(
      url,
      `edges{ certname = "${run.certname}" and relationship = "required-by" order by source_title limit 1 }`,
    );
    const name = `${edge?.source_type}[${edge?.source_title}]`;
    const condition = (end: "source" | "target"): string =>
      `certname = "${run.certname}" and !(relationship = "contains") and ${end}_type = "${edge?.source_type}" and ${end}_title = "${edge?.source_title}"`;
    const after = await rows<Edge>(url, `edges{ ${condition("source")} }`);
    const before = await rows<Edge>(url, `edges{ ${condition("target")} }`);
    const afterNames = after.map((one) => `${one.target_type}[${one.target_title}]`);
    const beforeNames = before.map((one) => `${one.source_type}[${one.source_title}]`);

    const catalog = new URLSearchParams({ res: name }).toString();
    await using visit = await browse(`${url}/explorer/nodes/${run.certname}/catalog?${catalog}`);
    const { page } = visit;
    await page.getByRole("link", { name: "Dependencies as a graph" }).click();
    await visit.settled();
    const sections = page.locator(".graph-list section");
    expect(await sections.evaluateAll(listed)).toStrictEqual({
      ...(before.length === 0 ? {} : { "Directly before it": [...new Set(beforeNames)].sort() }),
      "The resource": [name],
      "Directly after it": [...new Set(afterNames)].sort(),
    });
    const boxes = await page.locator(".graph-box bdi").allInnerTexts();
    expect(boxes.length).toBe(1 + new Set([...afterNames, ...beforeNames]).size);
    // The picture is for the mouse; the keyboard goes through the list.
    expect(await page.locator(".graph-picture a:not([tabindex='-1'])").count()).toBe(0);

    await page.getByRole("button", { name: "3 edges" }).click();
    await visit.settled();
    expect(new URL(page.url()).searchParams.get("hops")).toBe("3");
    await page
      .locator(".graph-list")
      .getByRole("link", { name: afterNames[0] ?? "", exact: true })
      .focus();
    await page.keyboard.press("Enter");
    await visit.settled();
    expect(await page.locator("h1").innerText()).toBe(afterNames[0]);
    expect(new URL(page.url()).searchParams.get("hops")).toBe("3");
  });

  it("shows what was skipped because of a failure, as the report lists it", async () => {
    await using visit = await browse(`${url}/explorer/reports/${run.hash}`);
    const { page } = visit;
    const cause = page.locator(".cause", { hasText: failed }).first();
    const more = cause.getByRole("button", { name: /more$/ });
    if ((await more.count()) > 0) await more.click();
    const skipped = await cause.locator(".skipped li a").allInnerTexts();
    expect(skipped.length).toBeGreaterThan(0);
    await cause.getByRole("link", { name: "As a graph" }).click();
    await visit.settled();
    const { Failed: first, ...steps } = await page.locator(".graph-list section").evaluateAll(listed);
    expect(first).toStrictEqual([failed]);
    expect(new Set(Object.values(steps).flat())).toStrictEqual(new Set(skipped));
    expect(await page.locator(".graph-edge").count()).toBe(skipped.length);
    await page.getByRole("link", { name: "The report" }).click();
    await visit.settled();
    expect(new URL(page.url()).pathname).toBe(`/explorer/reports/${run.hash}`);
  });

  it("shows the resource itself first where the picture is wider than the window", async () => {
    const edges = await rows<Edge>(url, `edges{ certname = "${run.certname}" and !(relationship = "contains") }`);
    const sources = new Set(edges.map((edge) => `${edge.source_type}[${edge.source_title}]`));
    const between = edges.map((edge) => `${edge.target_type}[${edge.target_title}]`).find((name) => sources.has(name));
    const address = new URLSearchParams({ res: between ?? "", hops: "3" }).toString();
    await using visit = await browse(`${url}/explorer/graph/${run.certname}?${address}`, { width: 390 });
    const picture = await visit.page.locator(".graph-picture").boundingBox();
    const middle = visit.page.locator(".graph-middle");
    expect(await middle.innerText()).toBe(between);
    const box = await middle.boundingBox();
    if (picture === null || box === null) throw new Error("they are not shown");
    expect(box.x).toBeGreaterThanOrEqual(picture.x);
    expect(box.x + box.width).toBeLessThanOrEqual(picture.x + picture.width);
  });

  it("says so where there is nothing to show", async () => {
    await using visit = await browse(
      `${url}/explorer/graph/${run.certname}?res=${encodeURIComponent("Notify[no such]")}`,
    );
    expect(await visit.text()).toContain("Nothing comes directly before or after it.");
    await visit.go(`${url}/explorer/graph/${run.certname}?res=nothing`);
    expect(await visit.text()).toContain("The address names no resource.");
  });
});

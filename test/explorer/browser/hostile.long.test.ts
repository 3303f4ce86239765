import { beforeAll, expect, it } from "vitest";
import { cleanText } from "#storage/wire/clean.ts";
import { HEAVY } from "../hostile-archive.ts";
import { hostileTexts } from "../hostile-texts.ts";
import { browse, describeInBrowser } from "./browser.ts";
import { nodeTabs, placesOf, subjectsOf, unknownSubjects } from "./places.ts";
import { json, rows } from "./rows.ts";
import { byLength } from "#test/length.ts";
import { serverOf } from "./serve.ts";
import type { Visit } from "./visit.ts";

/** Ms: a test opens many addresses. */
const TIMEOUT = 240_000;

/** Each text is in each field of some node, so that every third node has a third of the texts in each field. */
const SAMPLED = byLength({ short: 6, long: 3 });

const segment = encodeURIComponent;

let url: string;

function parameters(values: Readonly<Record<string, string>>): string {
  return new URLSearchParams(values).toString();
}

function textAt(index: number): string {
  return hostileTexts[index % hostileTexts.length] as string;
}

/** Names of nodes as they are stored, every third one. Browsers resolve `..` wherever it is in a path. */
function namesFrom(first: number, step = SAMPLED): string[] {
  return hostileTexts.filter((text, index) => index % step === first && text !== "..").map(cleanText);
}

interface Opening {
  /** Finds more problems of a page. */
  readonly check?: (visit: Visit) => Promise<string[]>;
  /** Loads each page anew, as if its address were typed. Otherwise each is reached by a link, which costs much less. */
  readonly isTyped?: boolean;
}

/** Opens one address after the other in one window. @returns what went wrong at each */
async function problemsAt(
  paths: readonly string[],
  { check, isTyped = false }: Opening,
): Promise<{ path: string; problems: string[] }[]> {
  const found: { path: string; problems: string[] }[] = [];
  await using visit = await browse(`${url}/explorer/help`);
  for (const path of paths) {
    if (isTyped) await visit.go(url + path);
    else await visit.follow(path);
    const problems = [...((await check?.(visit)) ?? []), ...visit.problems.splice(0)];
    if (problems.length > 0) found.push({ path, problems });
  }
  return found;
}

/** Whether the page shows everything, within the window. */
async function whatIsMissing(visit: Visit): Promise<string[]> {
  return [...(await visit.alerts()), ...(await visit.overflow()).widest];
}

describeInBrowser("what agents send stays text", { timeout: TIMEOUT }, () => {
  beforeAll(async () => {
    url = await serverOf("hostile");
  });

  it("on each page, at no greater width", async () => {
    const paths = placesOf(await subjectsOf(url)).map(({ path }) => path);
    expect(await problemsAt(paths, { check: whatIsMissing })).toStrictEqual([]);
  });

  it("in the page of each node, whose heading is its name", async () => {
    const paths = namesFrom(0, 1).map((name) => `/explorer/nodes/${segment(name)}`);
    const found = await problemsAt(paths, {
      check: async (visit) => {
        const name = decodeURIComponent(visit.page.url().split("/").at(-1) ?? "");
        const heading = (await visit.page.locator("main h1").textContent()) ?? "";
        const isPlain = /^[\x20-\x7e]+$/.test(name);
        return [
          ...(await whatIsMissing(visit)),
          ...(isPlain && !name.startsWith(heading.replace(/…$/, "")) ? [`heading ${heading}`] : []),
        ];
      },
    });
    expect(found).toStrictEqual([]);
  });

  it.each(nodeTabs.map((tab, index) => [tab, index] as const))("in the tab %s of nodes", async (tab, first) => {
    const paths = namesFrom(first).map((name) => `/explorer/nodes/${segment(name)}/${tab}`);
    expect(await problemsAt(paths, { check: whatIsMissing })).toStrictEqual([]);
  });

  it("in reports, and in what they unfold", async () => {
    const reports = await rows<{ hash: string }>(url, "reports[certname, hash]{ order by certname, hash }");
    const paths = reports.filter((_, index) => index % SAMPLED === 0).map(({ hash }) => `/explorer/reports/${hash}`);
    const found = await problemsAt(paths, {
      check: async (visit) => {
        for (const summary of await visit.page.locator("main summary").all()) await summary.click();
        return whatIsMissing(visit);
      },
    });
    expect(found).toStrictEqual([]);
  });

  it("in each issue", async () => {
    const { issues } = await json<{ issues: readonly { id: string }[] }>(
      `${url}/explorer/api/v1/issues?last=24h&limit=200`,
    );
    expect(issues.length).toBeGreaterThan(hostileTexts.length / 2);
    const chosen = issues
      .filter((_, index) => index % SAMPLED === 0)
      .map(({ id }) => `/explorer/issues/${id}?last=24h`);
    expect(await problemsAt(["/explorer/issues?last=24h", ...chosen], { check: whatIsMissing })).toStrictEqual([]);
  });

  it("in facts of any name, resources of any type and title, and filters of any value", async () => {
    const paths = [
      ...namesFrom(0).map((text) => `/explorer/fact?${parameters({ path: JSON.stringify(text) })}`),
      ...namesFrom(1).map((text) => `/explorer/resource?${parameters({ type: "File", title: text })}`),
      ...namesFrom(2).map((text) => `/explorer/resources?${parameters({ type: text })}`),
      ...namesFrom(0).map((text) => `/explorer/nodes?${parameters({ f: `report_environment=${text}`, env: text })}`),
    ];
    expect(await problemsAt(paths, { check: async (visit) => (await visit.overflow()).widest })).toStrictEqual([]);
  });

  it("in every parameter of an address", async () => {
    const pages = [...new Set(placesOf(unknownSubjects).map(({ path }) => path.replace(/[?#].*/, "")))];
    const names = ["env", "last", "from", "to", "zone", "f", "q", "sort", "cols", "path", "type", "title", "view"];
    const paths = pages.map((page, index) => {
      const given = Object.fromEntries(names.map((name, at) => [name, textAt(index * names.length + at)]));
      return `${page}?${parameters(given)}#${segment(cleanText(textAt(index)))}`;
    });
    const found = await problemsAt(paths, { isTyped: true });
    // What the server refuses is on the console as well.
    const lines = found.flatMap(({ problems }) => problems);
    expect(lines.filter((line) => !/^console: Failed to load resource: .* status of 40[04]/.test(line))).toStrictEqual(
      [],
    );
  });

  it("and values of a megabyte, of 10,000 keys and of 200 levels can be looked at", async () => {
    const facts = ["megabyte", "unbroken", "numbers.0", "elements.5"];
    const paths = facts.map((path) => `/explorer/fact?${parameters({ path })}`);
    const found = await problemsAt([`/explorer/nodes/${HEAVY}/facts`, ...paths], {
      check: async (visit) => {
        const elements = await visit.page.locator("main *").count();
        return [...(await whatIsMissing(visit)), ...(elements > 20_000 ? [`${elements} elements`] : [])];
      },
    });
    expect(found).toStrictEqual([]);
  });
});

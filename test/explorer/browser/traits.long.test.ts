import { beforeAll, expect, it } from "vitest";
import type { Differences, TraitKind } from "#storage/traits/trait.ts";
import { browse, describeInBrowser } from "./browser.ts";
import { json, rows } from "./rows.ts";
import { serverOf } from "./serve.ts";
import { rowCount, tableOf } from "./table.ts";
import type { Visit } from "./visit.ts";

/** Links of a kind that are followed. */
const FOLLOWED = 4;

let url: string;

async function differencesOf(selection: string): Promise<Differences> {
  const parameters = new URLSearchParams({ selection, limit: "200" });
  return json(`${url}/explorer/api/v1/differences?${parameters.toString()}`);
}

/** The rows of the panel: what is different, and the counts of both sides. */
async function shownRows({ page }: Visit): Promise<{ kind: string; counts: string[]; href: string | null }[]> {
  return page.locator(".traits tbody tr").evaluateAll((all) =>
    all.map((row) => ({
      kind: row.querySelector<HTMLElement>(".trait-kind")?.innerText ?? "",
      counts: [...row.querySelectorAll<HTMLElement>("td")].map(({ innerText }) => innerText.split(/\s/)[0] ?? ""),
      href: row.querySelector("a")?.getAttribute("href") ?? null,
    })),
  );
}

describeInBrowser("what nodes share", () => {
  beforeAll(async () => {
    url = await serverOf("sample");
  });

  it("is found for the nodes of a list, and each difference leads to as many nodes as it says", async () => {
    const where = 'report_environment = "staging"';
    const expected = await differencesOf(`nodes{ ${where} }`);
    await using visit = await browse(`${url}/explorer/nodes?q=${encodeURIComponent(where)}`);
    const { page } = visit;
    await page.getByRole("button", { name: "What do they share?" }).press("Enter");
    await page.locator(".traits").waitFor();
    await visit.settled();
    expect(await shownRows(visit)).toHaveLength(10);
    await page.getByRole("button", { name: `Show ${expected.differences.length} differences` }).click();
    const shown = await shownRows(visit);
    expect(shown.map(({ kind, counts }) => [kind, ...counts])).toStrictEqual(
      expected.differences.map(({ kind, selected, rest }) => [kind, String(selected), String(rest)]),
    );

    const kinds = [...new Set(shown.map(({ kind }) => kind))];
    expect(kinds.length).toBeGreaterThan(2);
    for (const kind of kinds) {
      const linked = shown.filter((row) => row.kind === kind && row.href !== null);
      for (const { href, counts } of linked.slice(0, FOLLOWED)) {
        await visit.go(new URL(href ?? "", url));
        expect({ href, count: await rowCount(tableOf(page, "Nodes")) }).toStrictEqual({
          href,
          count: Number(counts[0]),
        });
      }
    }
  });

  it.each<[TraitKind, string]>([
    ["class", 'nodes{ report_environment = "production" and latest_report_status = "failed" }'],
    ["package", 'nodes{ inventory{ facts.os.name = "Debian" } }'],
    ["fact", 'nodes{ inventory{ facts.os.name = "Debian" } }'],
  ])("leads to the nodes that lack something: %s", async (kind, selection) => {
    const { differences } = await differencesOf(selection);
    const lacking = differences.find((one) => one.kind === kind && one.value === undefined);
    await using visit = await browse(
      `${url}/explorer/nodes?share=&q=${encodeURIComponent(/\{ (?<where>.*) \}$/.exec(selection)?.groups?.["where"] ?? "")}`,
    );
    const { page } = visit;
    await page.locator(".traits").waitFor();
    await page.getByRole("button", { name: /^Show \d+ differences$/ }).click();
    const row = (await shownRows(visit))[lacking === undefined ? -1 : differences.indexOf(lacking)];
    expect(row?.kind).toBe(kind);
    await visit.go(new URL(row?.href ?? "", url));
    expect(await rowCount(tableOf(page, "Nodes"))).toBe(lacking?.selected);
  });

  it("is found for nodes that are selected, in place of the whole list", async () => {
    const names = (await rows<{ certname: string }>(url, "nodes[certname]{ order by certname limit 3 }")).map(
      ({ certname }) => certname,
    );
    const expected = await differencesOf(
      `nodes{ certname in [${names.map((name) => JSON.stringify(name)).join(", ")}] }`,
    );
    await using visit = await browse(`${url}/explorer/nodes?sel=${names.join(",")}`);
    const { page } = visit;
    await page.getByRole("region", { name: "Selected nodes" }).getByRole("button", { name: /share/ }).click();
    await page.locator(".traits").waitFor();
    await visit.settled();
    expect((await shownRows(visit)).map(({ counts }) => counts)).toStrictEqual(
      expected.differences.slice(0, 10).map(({ selected, rest }) => [String(selected), String(rest)]),
    );
    await page.reload();
    await visit.settled();
    expect(await visit.text()).toContain("What sets 3 nodes apart from 37 others");
  });

  it("is found for the nodes of an issue", async () => {
    const { issues } = await json<{ issues: readonly { id: string; nodes: number }[] }>(
      `${url}/explorer/api/v1/issues?last=14d`,
    );
    const [issue] = issues;
    const detail = await json<{ nodes: readonly { certname: string }[] }>(
      `${url}/explorer/api/v1/issues/${issue?.id ?? ""}?last=14d`,
    );
    const names = detail.nodes.map(({ certname }) => JSON.stringify(certname)).join(", ");
    const expected = await differencesOf(`nodes{ certname in [${names}] }`);
    expect(expected.differences.length).toBeGreaterThan(0);
    await using visit = await browse(`${url}/explorer/issues/${issue?.id ?? ""}?last=14d`);
    const { page } = visit;
    await page.getByRole("link", { name: "What these nodes share" }).click();
    await page.locator(".traits").waitFor();
    await visit.settled();
    expect((await shownRows(visit)).map(({ counts }) => counts)).toStrictEqual(
      expected.differences.slice(0, 10).map(({ selected, rest }) => [String(selected), String(rest)]),
    );
  });
});

import { expect, it } from "vitest";
import { census, SAMPLE } from "#test/cli/census.ts";
import { browse, describeInBrowser } from "./browser.ts";
import { serverOf } from "./serve.ts";
import type { Visit } from "./visit.ts";

interface Row {
  readonly kind: string;
  readonly name: string | null;
  readonly match: string | null;
  readonly count: number | null;
}

/** What `census search` finds. */
async function searched(words: readonly string[], ...options: readonly string[]): Promise<readonly Row[]> {
  const { stdout } = await census(["search", ...words, "--archive", SAMPLE, "--output", "json", ...options]);
  return JSON.parse(stdout) as readonly Row[];
}

/** The findings of all panels: the name and the value, and the number of nodes. */
async function shown({ page }: Visit): Promise<string[]> {
  return page
    .locator(".panel tbody tr")
    .evaluateAll((rows) =>
      rows.map((row) => [...row.querySelectorAll("td")].map((cell) => cell.textContent.trim()).join(" | ")),
    );
}

/** A finding as the page writes it. */
function written({ kind, name, match, count }: Row): string {
  const nouns = kind === "message" || kind === "log" ? ["time", "times"] : ["node", "nodes"];
  const many = count === null ? "" : `${count.toLocaleString("en-GB")} ${count === 1 ? nouns[0] : nouns[1]}`;
  return `${[name, match].filter((text) => text !== null).join(" = ")} | ${many}`;
}

describeInBrowser("the page of search", () => {
  it("shows what census search finds, kind by kind, and leads to it", async () => {
    const url = await serverOf("sample");
    const rows = (await searched(["swap"])).filter(({ match }) => (match ?? "").length < 300);
    await using visit = await browse(`${url}/explorer/`);
    const { page } = visit;
    await page.keyboard.press("Control+k");
    await page.keyboard.type("swap");
    await page.getByRole("option", { name: "Everything with swap" }).click();
    await page.waitForURL("**/explorer/search?q=swap");
    await visit.settled();
    expect(await shown(visit)).toStrictEqual(rows.map(written));
    expect(rows.length).toBeGreaterThan(3);
    await page.locator(".panel tbody a").first().click();
    await page.waitForURL("**/explorer/fact?path=*swap*");
  });

  it("lists more of one kind, and exports what it shows", async () => {
    const url = await serverOf("sample");
    const rows = await searched(["etc"], "--kind", "resource", "--limit", "1000");
    await using visit = await browse(`${url}/explorer/search?q=etc`);
    const { page } = visit;
    await page
      .getByRole("region", { name: /^Resources/ })
      .getByRole("link", { name: "Show more" })
      .click();
    await page.waitForURL("**/explorer/search?q=etc&kind=resource");
    await visit.settled();
    expect((await shown(visit)).slice(0, 100)).toStrictEqual(rows.slice(0, 100).map(written));
    expect(rows.length).toBeGreaterThan(10);
    await page.getByRole("button", { name: "Export" }).click();
    const link = await page.getByRole("menuitem", { name: "JSON", exact: true }).getAttribute("href");
    expect(await (await fetch(new URL(link ?? "", url))).json()).toStrictEqual(rows);
  });

  it("searches while a text is typed, with the address, and says what has no findings", async () => {
    const url = await serverOf("sample");
    await using visit = await browse(`${url}/explorer/search`);
    const { page } = visit;
    await page.getByText("Type words of at least 2 characters").waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("zzzz nowhere");
    await page.getByText("Nothing has all these words.").waitFor();
    expect(new URL(page.url()).searchParams.get("q")).toBe("zzzz nowhere");
    await page.reload();
    await page.getByText("Nothing has all these words.").waitFor();
  });
});

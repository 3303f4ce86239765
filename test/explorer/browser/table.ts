import type { Locator, Page } from "playwright-core";

/** The table of a page, as a reader sees it. */
export function tableOf(page: Page, name: string): Locator {
  return page.getByRole("grid", { name, exact: true });
}

/** Rows of a table, of which only some are in the document. */
export async function rowCount(table: Locator): Promise<number> {
  return Number(await table.getAttribute("aria-rowcount")) - 1;
}

/** The texts of a column of the rows that are in the document, from top to bottom. @param at from 0, without the boxes */
export async function cellTexts(table: Locator, at: number): Promise<string[]> {
  return (await cells(table, at)).map(({ text }) => text);
}

/** The exact times in such a column, "" where there is none. */
export async function cellTimes(table: Locator, at: number): Promise<string[]> {
  return (await cells(table, at)).map(({ time }) => time);
}

async function cells(table: Locator, at: number): Promise<{ text: string; time: string }[]> {
  return table.locator(".table-body [role=row]").evaluateAll(
    (rows, index) =>
      rows
        .toSorted((one, other) => Number(one.getAttribute("data-index")) - Number(other.getAttribute("data-index")))
        .map((row) => row.querySelector<HTMLElement>(`[data-column="${index}"]`))
        .map((cell) => ({
          text: cell?.innerText.trim() ?? "",
          time: cell?.querySelector("time")?.dateTime ?? "",
        })),
    at,
  );
}

/** A facet of the page: its values with their counts. */
export async function facetValues(page: Page, label: string): Promise<Record<string, number>> {
  const texts = await page
    .getByRole("region", { name: label, exact: true })
    .locator(".facet-value")
    .evaluateAll((buttons) =>
      buttons.map((button): [string, string] => [
        button.querySelector<HTMLElement>("bdi")?.innerText.trim() ?? "",
        button.querySelector<HTMLElement>(".facet-count")?.innerText ?? "",
      ]),
    );
  return Object.fromEntries(texts.map(([value, count]) => [value, Number(count.replaceAll(",", ""))]));
}

/** The button of a value in a facet. */
export function facetValue(page: Page, label: string, value: string): Locator {
  return page
    .getByRole("region", { name: label, exact: true })
    .locator(".facet-value")
    .filter({ has: page.locator("bdi", { hasText: new RegExp(String.raw`^\s*${value}\s*$`) }) });
}

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { AxeResults, RunOptions } from "axe-core";
import type { Page } from "playwright-core";

/** A rule that a page breaks, and where. */
export interface Finding {
  readonly rule: string;
  readonly help: string;
  /** Selectors, and what is wrong there. */
  readonly places: readonly string[];
}

/** Which rules are checked: all of WCAG 2.2, levels A and AA, or those of them that depend on colours, as a theme may break. */
export type Rules = "all" | "colours";

const options: Readonly<Record<Rules, RunOptions>> = {
  all: {
    runOnly: { type: "tag", values: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"] },
    resultTypes: ["violations"],
  },
  colours: { runOnly: { type: "rule", values: ["color-contrast", "link-in-text-block"] }, resultTypes: ["violations"] },
};

const source = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Checks a page as it is. The policy of the page stays: axe is evaluated by the browser, not loaded by the page. */
export async function findingsOf(page: Page, rules: Rules): Promise<Finding[]> {
  const isThere = await page.evaluate(() => "axe" in globalThis);
  if (!isThere) await page.evaluate(source);
  const { violations } = await page.evaluate(
    async (given) => (Reflect.get(globalThis, "axe") as { run(options: RunOptions): Promise<AxeResults> }).run(given),
    options[rules],
  );
  return violations.map(({ id, help, nodes }) => ({
    rule: id,
    help,
    places: nodes.map(
      ({ target, failureSummary = "" }) => `${target.join(" ")}: ${failureSummary.replaceAll(/\s+/g, " ")}`,
    ),
  }));
}

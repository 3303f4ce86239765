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

const options: Readonly<Record<"all" | "colours", RunOptions>> = {
  /** Rules of WCAG 2.2, levels A and AA. */
  all: {
    runOnly: { type: "tag", values: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"] },
    resultTypes: ["violations"],
  },
  /** The rules among them whose findings depend on colours. */
  colours: { runOnly: ["color-contrast", "link-in-text-block"], resultTypes: ["violations"] },
};

export type Rules = keyof typeof options;

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

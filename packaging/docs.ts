/**
 * The parts of the pages in `docs/` that are made of declarations, each between `<!-- name -->` and `<!-- end -->`. `npm run docs`
 * writes them, and a test fails if one is out of date. Everything else on these pages is written by hand.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { anonymizationParts } from "./docs/anonymization.ts";
import { commandLineParts } from "./docs/command-line.ts";
import { dependencyParts, notice, renderNotice } from "./docs/dependencies.ts";
import { entityParts } from "./docs/entities.ts";
import { settingParts } from "./docs/settings.ts";
import { sqlParts } from "./docs/sql.ts";
import { type Parts, withParts } from "./docs/parts.ts";

/** What makes the parts of each page, by its name. */
const makers: Readonly<Record<string, () => Parts | Promise<Parts>>> = {
  "anonymization.md": anonymizationParts,
  "command-line.md": commandLineParts,
  "developing.md": dependencyParts,
  "entities.md": entityParts,
  "settings.md": settingParts,
  "sql.md": sqlParts,
};

/** The names of the pages. */
export const generatedPages: readonly string[] = Object.keys(makers);

/** The page as it is, and as it should be. @throws Error for a part without a place */
export async function renderedPage(name: string): Promise<{ readonly path: string; is: string; should: string }> {
  const path = join(import.meta.dirname, "../docs", name);
  const is = readFileSync(path, "utf8");
  const parts = (await makers[name]?.()) ?? {};
  const missing = Object.keys(parts).find((part) => !is.includes(`<!-- ${part} -->`));
  if (missing !== undefined) throw new Error(`docs/${name} has no place for ${missing}`);
  return { path, is, should: withParts(is, parts) };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  for (const name of generatedPages) {
    const { path, should } = await renderedPage(name);
    writeFileSync(path, should);
  }
  writeFileSync(notice, renderNotice());
}

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Part } from "./parts.ts";

const RULE = "=".repeat(80);

/** The licences of everything inside an executable, as one text. */
export function licencesText(parts: readonly Part[]): string {
  const list = parts.map(({ name, version, licence }) => `  ${name} ${version}: ${licence}`);
  const texts = parts.map(({ name, version, licence, folder }) => {
    const text = licenceText(folder) ?? `(published under ${licence}, without the text of it)`;
    return `${RULE}\n${name} ${version}\n${RULE}\n\n${text.trim()}\n`;
  });
  return [
    "Census is published under Apache-2.0. Its executable contains parts of these packages, each under its own licence:",
    ...list,
    "",
    ...texts,
  ].join("\n");
}

function licenceText(folder: string): string | undefined {
  const files = readdirSync(folder).filter((name) => /^(?:licen[cs]e|copying|notice)(?:[.-]|$)/i.test(name));
  if (files.length === 0) return undefined;
  return files
    .sort()
    .map((name) => readFileSync(join(folder, name), "utf8").trim())
    .join("\n\n");
}

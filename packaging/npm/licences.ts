import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "../..");

/** Writes the licences of the bundled packages. */
export function writeLicences(folder: string, packages: readonly string[]): void {
  const texts = packages.map((path) => {
    const { name, version, license } = JSON.parse(readFileSync(join(root, path, "package.json"), "utf8")) as {
      name: string;
      version: string;
      license?: string;
    };
    const file = readdirSync(join(root, path)).find((entry) => /^licen[cs]e/i.test(entry));
    const text =
      file === undefined ? `${license ?? "no licence named"}\n` : readFileSync(join(root, path, file), "utf8");
    return `${name} ${version}\n\n${text.trim()}\n`;
  });
  writeFileSync(join(folder, "LICENCES"), texts.join(`\n${"-".repeat(78)}\n\n`));
}

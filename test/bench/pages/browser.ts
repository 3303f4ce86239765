import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

const program = process.env["CENSUS_CHROMIUM"] ?? "/usr/bin/chromium";

/** A browser without a window; undefined where there is none. */
export async function startBrowser(): Promise<Browser | undefined> {
  if (!existsSync(program)) return undefined;
  const sandbox = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  return chromium.launch({ executablePath: program, args: ["--disable-gpu", ...sandbox] });
}

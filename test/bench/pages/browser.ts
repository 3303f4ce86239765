import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";
import { chromiumPath } from "#test/chromium.ts";

/** A browser without a window; undefined where there is none. */
export async function startBrowser(): Promise<Browser | undefined> {
  if (!existsSync(chromiumPath)) return undefined;
  const sandbox = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  return chromium.launch({ executablePath: chromiumPath, args: ["--disable-gpu", ...sandbox] });
}

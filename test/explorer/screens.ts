/**
 * Takes the pictures of `docs/explorer.md`: `npm run screens`. It opens the sample archive, and visits the main pages with
 * Debian's Chromium (or the one that `CENSUS_CHROMIUM` names), in both themes.
 */
import { spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { chromium, type Page } from "playwright-core";
import { chromiumPath } from "#test/chromium.ts";

const root = join(import.meta.dirname, "../..");
const folder = join(root, "docs/images");

/** The pages, by the name of the picture. */
const screens: Readonly<Record<string, (url: string) => Promise<string>>> = {
  overview: async () => "/explorer/?last=7d",
  nodes: async () =>
    `/explorer/nodes?${new URLSearchParams({ f: 'state="failed"', cols: "certname,state,report_timestamp,facts.os.name,facts.os.release.full" }).toString()}`,
  report: async (url) =>
    `/explorer/reports/${await first(url, 'reports[hash]{ certname ~ "^historian-0010" and status = "failed" order by producer_timestamp desc limit 1 }')}`,
};

async function first(url: string, query: string): Promise<string> {
  const response = await fetch(`${url}/pdb/query/v4?${new URLSearchParams({ query }).toString()}`);
  const [row] = (await response.json()) as Record<string, string>[];
  const [value] = Object.values(row ?? {});
  if (value === undefined) throw new Error(`no row: ${query}`);
  return value;
}

/** Starts `census open` with the sample. @returns its address, and a function that ends it */
async function openSample(): Promise<{ url: string; stop: () => void }> {
  const args = ["cli/main.ts", "open", "fixtures/sample.tgz", "--port", "0", "--no-browser"];
  const child = spawn(process.execPath, args, { cwd: root, stdio: ["ignore", "pipe", "inherit"] });
  child.stdout.setEncoding("utf8");
  let said = "";
  for await (const piece of child.stdout) {
    said += String(piece);
    const [, url] = /ready on (http:\S+)/.exec(said) ?? [];
    if (url !== undefined) return { url, stop: () => void child.kill() };
  }
  throw new Error(`census open ended: ${said}`);
}

/** Nothing is on its way any more, and transitions are over. */
async function settled(page: Page): Promise<void> {
  await page.waitForSelector("main h1");
  await page.waitForFunction(() => document.querySelector("main [aria-busy=true], main .skeleton") === null);
  await page.waitForTimeout(700);
}

async function main(): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const { url, stop } = await openSample();
  const browser = await chromium.launch({
    executablePath: chromiumPath,
    args: ["--disable-background-networking", "--disable-gpu", ...(process.getuid?.() === 0 ? ["--no-sandbox"] : [])],
  });
  try {
    for (const colorScheme of ["light", "dark"] as const) {
      const page = await browser.newPage({ colorScheme, viewport: { width: 1280, height: 800 }, timezoneId: "UTC" });
      for (const [name, addressOf] of Object.entries(screens)) {
        await page.goto(`${url}${await addressOf(url)}`);
        await settled(page);
        await page.screenshot({ path: join(folder, `${name}-${colorScheme}.png`) });
      }
      await page.close();
    }
  } finally {
    await browser.close();
    stop();
  }
}

await main();

import { version } from "#app/version.ts";
import { hasColours } from "./colours.ts";
import type { CommandList } from "./command.ts";
import { overviewPage } from "./help/command-page.ts";
import type { Page } from "./help/page.ts";
import { renderPage } from "./help/render.ts";
import { stdout } from "./stdout.ts";

const description = "Node configuration inventory that speaks PuppetDB's interface";

/** The page of `census --help`. */
export async function overview(commands: CommandList): Promise<Page> {
  return overviewPage(commands.groups, await commands.loadAll(), `${description} (census ${version})`);
}

/** Writes a page to stdout, as wide as the terminal; returns the exit code. */
export async function printPage(page: Page): Promise<number> {
  const columns = process.stdout.isTTY ? process.stdout.columns : 80;
  await stdout.write(renderPage(page, { columns, coloured: hasColours(process.stdout) }));
  return 0;
}

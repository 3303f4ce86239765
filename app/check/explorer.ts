import { readSite } from "../explorer/site.ts";
import type { Settings } from "../settings/settings.ts";
import type { Context } from "./context.ts";
import { type Finding, reporter } from "./finding.ts";
import { readableBy } from "./readable.ts";

/**
 * Checks the site's file of queries, views and links, and reports what browsers need for the explorer: without a certificate they show only an
 * error of the handshake.
 */
export async function checkExplorer(
  { explorer, http, signIn }: Pick<Settings, "explorer" | "http" | "signIn">,
  context: Context,
): Promise<Finding[]> {
  if (!explorer.enabled) return [];
  const findings = explorer.site === undefined ? [] : [await checkSite(explorer.site, explorer, context)];
  const { tls } = http;
  if (signIn?.people !== undefined || tls === undefined || (tls.clientAuth ?? "need") !== "need") return findings;
  const report = reporter("explorer", context.where("jetty", "client-auth"));
  const advice = "browsers need a client certificate to open the explorer over TLS; see docs/explorer.md, Access";
  return [...findings, report.ok(advice)];
}

/** A warning: without its file the service works all the same. */
async function checkSite(path: string, settings: Settings["explorer"], context: Context): Promise<Finding> {
  const report = reporter("explorer site", context.where("census", "explorer-site"));
  const denied = readableBy(context.user, path, report);
  if (denied !== undefined) return { ...denied, level: "warning" };
  const { queries, views, links, problem } = await readSite(path, settings);
  if (problem !== null) return report.warning(problem, "correct the file; see docs/explorer-site.md for the format");
  const counts = [
    counted(queries, "query", "queries"),
    counted(views, "view", "views"),
    counted(links, "link", "links"),
  ];
  return report.ok(`${path} has ${counts.join(", ")} for the explorer`);
}

function counted({ length }: readonly unknown[], one: string, many: string): string {
  return `${length} ${length === 1 ? one : many}`;
}

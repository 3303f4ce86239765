import { readSiteQueries } from "../explorer/saved-queries.ts";
import type { Settings } from "../settings/settings.ts";
import type { Context } from "./context.ts";
import { type Finding, reporter } from "./finding.ts";
import { readableBy } from "./readable.ts";

/**
 * Checks the file of saved queries, and reports what browsers need for the explorer: without a certificate they show only an
 * error of the handshake.
 */
export async function checkExplorer(
  { explorer, http }: Pick<Settings, "explorer" | "http">,
  context: Context,
): Promise<Finding[]> {
  if (!explorer.enabled) return [];
  const findings = explorer.queries === undefined ? [] : [await checkQueries(explorer.queries, context)];
  const { tls } = http;
  if (tls === undefined || (tls.clientAuth ?? "need") !== "need") return findings;
  const report = reporter("explorer", context.where("jetty", "client-auth"));
  const advice = "browsers need a client certificate to open the explorer over TLS; see docs/explorer.md, Access";
  return [...findings, report.ok(advice)];
}

/** A warning: without its saved queries the service works all the same. */
async function checkQueries(path: string, context: Context): Promise<Finding> {
  const report = reporter("saved queries", context.where("census", "explorer-queries"));
  const denied = readableBy(context.user, path, report);
  if (denied !== undefined) return { ...denied, level: "warning" };
  const { queries, problem } = await readSiteQueries(path);
  if (problem !== null) return report.warning(problem, "correct the file; see docs/check.md for the format");
  return report.ok(`${path} has ${queries.length} ${queries.length === 1 ? "query" : "queries"} for the explorer`);
}

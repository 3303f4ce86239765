import type { Settings } from "../settings/settings.ts";
import type { Context } from "./context.ts";
import { type Finding, reporter } from "./finding.ts";

/** Reports what browsers need for the explorer: without a certificate they show only an error of the handshake. */
export function checkExplorer({ explorer, http }: Pick<Settings, "explorer" | "http">, context: Context): Finding[] {
  const { tls } = http;
  if (!explorer.enabled || tls === undefined || (tls.clientAuth ?? "need") !== "need") return [];
  const report = reporter("explorer", context.where("jetty", "client-auth"));
  return [report.ok("browsers need a client certificate to open the explorer over TLS; see docs/explorer.md, Access")];
}

import type { JSX } from "preact";
import { href } from "../address/address.ts";
import { about, latest } from "../data/about.ts";
import { useQuery } from "../data/use-query.ts";
import { inEnvironment, query } from "../pql/text.ts";
import { counted } from "../value/text.ts";

/** Longer ago than anything that is stored: the page of reports then shows as many as are counted here. */
const ALL = "9999d";

/** How much is stored, of one environment or of all. */
export function Figures({ environment }: { readonly environment: string | undefined }): JSX.Element | null {
  const all = about.value?.counts;
  const nodes = useCount("nodes", environment);
  const resources = useCount("resources", environment);
  const reports = useCount("reports", environment);
  const counts = environment === undefined ? all : { nodes, resources, reports, inactive: 0 };
  if (counts?.nodes === undefined || counts.resources === undefined || counts.reports === undefined) return null;
  const waiting = latest.value?.store.commandsWaiting ?? 0;
  return (
    <span class="muted">
      <a href={href("nodes")}>{counted(counts.nodes, "node")}</a>
      {counts.inactive === 0 ? "" : ` and ${counts.inactive.toLocaleString()} inactive`} ·{" "}
      <a href={href("resources")}>{counted(counts.resources, "resource")}</a> ·{" "}
      <a href={href("reports", [], { last: ALL })}>{counted(counts.reports, "report")}</a>
      {waiting === 0 ? null : (
        <>
          {" "}
          · <a href={href("status")}>{counted(waiting, "command")} waiting</a>
        </>
      )}
    </span>
  );
}

/** How many rows of an entity an environment has; undefined for all environments, and until it is known. */
function useCount(entity: string, environment: string | undefined): number | undefined {
  const loaded = useQuery<{ readonly count: number }>(
    environment === undefined
      ? undefined
      : {
          name: `Number of ${entity}`,
          pql: query(entity, { select: ["count()"], where: inEnvironment(entity, environment) }),
        },
  );
  return loaded.value?.[0]?.count;
}

import type { JSX } from "preact";
import { go, href } from "../address/address.ts";
import { useQuery } from "../data/use-query.ts";
import { useKeys } from "../frame/keys.ts";
import { Icon } from "../icons/icon.tsx";
import { and, literal, query } from "../pql/text.ts";
import { formatTime } from "../time/format.ts";
import type { ReportRow } from "./rows.ts";

interface Neighbour {
  readonly hash: string;
  readonly status: string | null;
  readonly producer_timestamp: string;
}

/** Links to the reports of the same node before and after this one, also by the keys `[` and `]`. */
export function Neighbours({ report }: { readonly report: ReportRow }): JSX.Element {
  const before = useNeighbour(report, "before");
  const after = useNeighbour(report, "after");
  useKeys({
    "[": () => before !== undefined && go(href("report", [before.hash])),
    "]": () => after !== undefined && go(href("report", [after.hash])),
  });
  return (
    <nav class="report-neighbours" aria-label="Reports of this node">
      <NeighbourLink report={before} label="Previous" key="before" />
      <NeighbourLink report={after} label="Next" key="after" />
      {before === undefined ? null : (
        <a href={href("compare", [], { of: "reports", left: before.hash, right: report.hash })}>
          Compare with previous
        </a>
      )}
    </nav>
  );
}

function useNeighbour(report: ReportRow, side: "before" | "after"): Neighbour | undefined {
  const [sign, order] = side === "before" ? ["<", "desc"] : [">", "asc"];
  const loaded = useQuery<Neighbour>({
    name: side === "before" ? "The report before" : "The report after",
    pql: query("reports", {
      select: ["hash", "status", "producer_timestamp"],
      where: and(
        `certname = ${literal(report.certname)}`,
        `producer_timestamp ${sign} ${literal(report.producer_timestamp)}`,
      ),
      orderBy: [`producer_timestamp ${order}`],
      limit: 1,
    }),
  });
  return loaded.value?.[0];
}

function NeighbourLink({
  report,
  label,
}: {
  readonly report: Neighbour | undefined;
  readonly label: "Previous" | "Next";
}): JSX.Element {
  const icon = <Icon name={label === "Previous" ? "left" : "right"} />;
  const content = label === "Previous" ? [icon, label] : [label, icon];
  if (report === undefined) return <span class="report-neighbour muted">{content}</span>;
  const key = label === "Previous" ? "[" : "]";
  return (
    <a
      class="report-neighbour"
      href={href("report", [report.hash])}
      title={`${report.status ?? ""} ${formatTime(report.producer_timestamp)} (${key})`}
    >
      {content}
    </a>
  );
}

import type { JSX } from "preact";
import { useRoute } from "preact-iso";
import { go, href } from "../address/address.ts";
import { useQuery } from "../data/use-query.ts";
import { SavePageButton } from "../export/save-page-button.tsx";
import { Page } from "../frame/page.tsx";
import { Loading, Problem } from "../frame/panel.tsx";
import { and, literal, query } from "../pql/text.ts";
import { ReportContent } from "./content.tsx";
import { reportColumns, type ReportRow } from "./rows.ts";
import { SiteLinks } from "../site/site-links.tsx";
import { outcomeOf } from "#storage/states/node-state.ts";
import { StateMark } from "../state/state-mark.tsx";
import { visibleText } from "../value/text.ts";
import { marked } from "../value/value.tsx";
import { useKeys } from "../frame/keys.ts";
import { Icon } from "../icons/icon.tsx";
import { formatTime } from "../time/format.ts";

interface Neighbour {
  readonly hash: string;
  readonly status: string | null;
  readonly producer_timestamp: string;
}

/** Links to the reports of the same node before and after this one, also by the keys `[` and `]`. */
function Neighbours({ report }: { readonly report: ReportRow }): JSX.Element {
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

/** One run: what happened, and why. */
export default function ReportPage(): JSX.Element {
  const { hash = "" } = useRoute().params;
  const loaded = useQuery<ReportRow>({
    name: "The report",
    pql: query("reports", { select: reportColumns, where: `hash = ${literal(hash)}` }),
  });
  const report = loaded.value?.[0];
  const title = `Report ${hash.slice(0, 8)}`;
  if (report === undefined) {
    return (
      <Page title={title}>
        {loaded.error !== undefined ? <Problem loaded={loaded} /> : null}
        {loaded.value === undefined && loaded.error === undefined ? <Loading loaded={loaded} height={400} /> : null}
        {loaded.value === undefined ? null : <NoReport hash={hash} />}
      </Page>
    );
  }
  return (
    <Page
      title={title}
      tabTitle={`${visibleText(report.certname)} · ${title}`}
      before={
        <a href={href("node", [report.certname])}>
          ‹ <bdi class="wrap">{marked(report.certname)}</bdi>
        </a>
      }
      beside={
        <>
          <StateMark state={outcomeOf(report)} />
          <Badges report={report} />
        </>
      }
      actions={
        <>
          <SiteLinks on="report" values={report} />
          <Neighbours report={report} />
          <SavePageButton name={`report-${hash.slice(0, 8)}`} />
        </>
      }
    >
      <ReportContent key={hash} report={report} />
    </Page>
  );
}

function NoReport({ hash }: { readonly hash: string }): JSX.Element {
  return (
    <p>
      No report with the hash <code>{hash}</code> is stored. Reports are deleted after the time that the setting{" "}
      <code>report-ttl</code> says. <a href={href("reports")}>All reports</a>
    </p>
  );
}

/** What else is special about a run: simulated, from a cached catalog. */
function Badges({ report }: { readonly report: ReportRow }): JSX.Element {
  return (
    <>
      {report.noop === true ? (
        <span class="badge" title="The run only simulated its changes">
          noop
        </span>
      ) : null}
      {report.cached_catalog_status === "explicitly_requested" ? (
        <span class="badge" title="The agent is configured to use the cached catalog">
          cached catalog
        </span>
      ) : null}
    </>
  );
}

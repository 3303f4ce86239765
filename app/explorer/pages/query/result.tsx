import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { ExportMenu } from "../export/menu.tsx";
import { PanelBoundary } from "../frame/panel.tsx";
import { Text } from "../value/value.tsx";
import { counted, formatBytes } from "../value/text.ts";
import { ResultChart } from "./result-chart.tsx";
import { ResultTable } from "./result-table.tsx";
import { MOST_ROWS, type Result, type Run } from "./runs.ts";
import { type View, views } from "./tabs.ts";

export interface ResultPanelProps {
  readonly run: Run;
  /** What to write instead of what the server refused. */
  readonly advice: string | undefined;
  readonly view: View;
  readonly onView: (view: View) => void;
  readonly sort: string;
  readonly onSort: (sort: string) => void;
  readonly onCancel: () => void;
}

const viewNames: Readonly<Record<View, string>> = { table: "Table", json: "JSON", chart: "Chart" };

/** What came back, or why nothing did. */
export function ResultPanel({ run, advice, view, onView, sort, onSort, onCancel }: ResultPanelProps): JSX.Element {
  const { query, result, error, since } = run;
  return (
    <section class="query-result" aria-label="Result" aria-busy={since !== undefined}>
      <div class="query-result-head">
        <div class="query-views" role="group" aria-label="View">
          {views.map((one) => (
            <button key={one} type="button" aria-pressed={view === one} onClick={() => onView(one)}>
              {viewNames[one]}
            </button>
          ))}
        </div>
        <Figures run={run} onCancel={onCancel} />
        {result === undefined ? null : (
          <ExportMenu name={result.entity ?? "rows"} pql={query.text} isSql={query.lang === "sql"} />
        )}
      </div>
      {error === undefined ? null : (
        <div class="problem" role="alert">
          <p>{advice ?? (error.status === 0 ? "The query was not answered." : "The server refused the query.")}</p>
          {advice === error.message ? null : <pre>{withoutAdvice(error.message, advice)}</pre>}
        </div>
      )}
      {result === undefined ? null : (
        <PanelBoundary name="Result">
          <div class={since === undefined ? undefined : "dimmed"}>
            {view === "table" ? <ResultTable result={result} sort={sort} onSort={onSort} /> : null}
            {view === "json" ? <ResultJson result={result} /> : null}
            {view === "chart" ? <ResultChart result={result} /> : null}
          </div>
        </PanelBoundary>
      )}
    </section>
  );
}

/** `41 rows · 12 ms · 4 kB` */
function Figures({ run: { result, since }, onCancel }: { run: Run; onCancel: () => void }): JSX.Element {
  if (since !== undefined) return <Running since={since} onCancel={onCancel} />;
  if (result === undefined) return <span class="query-figures" />;
  const { rows, isCut, total, ms, size } = result;
  return (
    <span class="query-figures" data-rows={rows.length}>
      {isCut ? (
        <>
          first {MOST_ROWS.toLocaleString()} of {total === undefined ? "more" : total.toLocaleString()} rows; an export
          has all
        </>
      ) : (
        counted(rows.length, "row")
      )}
      {` · ${Math.round(ms).toLocaleString()} ms · ${formatBytes(size)}`}
    </span>
  );
}

function Running({ since, onCancel }: { since: number; onCancel: () => void }): JSX.Element {
  const [now, setNow] = useState(performance.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(performance.now()), 200);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.max(0, now - since) / 1000;
  return (
    <span class="query-figures">
      Running{seconds < 1 ? "" : `, ${seconds.toFixed(0)} s`}{" "}
      <button type="button" onClick={onCancel}>
        Cancel
      </button>
    </span>
  );
}

/** Characters before "show all". */
const SHOWN = 50_000;

function ResultJson({ result }: { readonly result: Result }): JSX.Element {
  return (
    // Its own scroll bar has to be reached by the keyboard.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- see above
    <pre class="query-json" tabIndex={0} role="region" aria-label="Result as JSON">
      <Text text={JSON.stringify(result.body, undefined, 2)} limit={SHOWN} isMultiline />
    </pre>
  );
}

/** What the server says, without its last paragraph where that is said above already. */
function withoutAdvice(message: string, advice: string | undefined): string {
  const paragraphs = message.trimEnd().split("\n\n");
  const last = paragraphs.at(-1) ?? "";
  return advice?.includes(last) === true ? paragraphs.slice(0, -1).join("\n\n") : message;
}

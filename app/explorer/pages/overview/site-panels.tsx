import type { JSX } from "preact";
import type { Json } from "#storage/json.ts";
import type { Site } from "../../api/shapes.ts";
import { useQuery } from "../data/use-query.ts";
import { Panel } from "../frame/panel.tsx";
import { workbenchHref } from "../pql/text.ts";
import { choiceFor } from "../query/chart-choice.ts";
import { columnsOf, resultRows } from "../query/columns.ts";
import { Chart } from "../query/result-chart.tsx";
import { useSite } from "../site/site-links.tsx";
import { Value } from "../value/value.tsx";

/** Rows that a panel draws, at most. */
const MOST_ROWS = 10_000;

type SiteQuery = Site["queries"][number];

/** The queries of the site's file that have a panel. */
export function SitePanels(): JSX.Element | null {
  const shown = (useSite()?.queries ?? []).filter(({ panel }) => panel !== "none");
  if (shown.length === 0) return null;
  return (
    <div class="panels">
      {shown.map((query) => (
        <SitePanel key={query.name} query={query} />
      ))}
    </div>
  );
}

function SitePanel({ query: { name, text, panel } }: { readonly query: SiteQuery }): JSX.Element {
  const loaded = useQuery<Json>({ name, pql: text, limit: MOST_ROWS });
  const values = loaded.value ?? [];
  return (
    <Panel
      title={name}
      loaded={loaded}
      height={200}
      actions={<a href={workbenchHref(text)}>Query</a>}
      empty={loaded.value !== undefined && values.length === 0 ? <p>No rows.</p> : undefined}
    >
      <Drawn values={values} kind={panel} />
    </Panel>
  );
}

function Drawn({ values, kind }: { readonly values: readonly Json[]; readonly kind: SiteQuery["panel"] }): JSX.Element {
  const rows = resultRows(values);
  const columns = columnsOf(rows);
  const numbers = columns.flatMap((column) => (column.kind === "number" ? [column.name] : []));
  const [number] = numbers;
  if (kind === "number" || kind === "none") {
    return (
      <p class="site-number">
        <Value value={number === undefined ? rows.length : (rows[0]?.[number] ?? null)} />
      </p>
    );
  }
  const { by = [], values: drawn = [] } = choiceFor(columns) ?? {};
  const names = columns.slice(0, 1).map(({ name }) => name);
  const choice = { kind, by: by.length === 0 ? names : by, values: drawn.length === 0 ? numbers.slice(0, 1) : drawn };
  return <Chart result={{ rows, columns }} choice={choice} />;
}

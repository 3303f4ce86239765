import type { JSX } from "preact";
import type { Preceding, PrecedingChange } from "#storage/issues/preceding.ts";
import { href, useEnvironment, useParameter } from "../address/address.ts";
import { oneOf } from "../address/codecs.ts";
import { nodeValueLabels } from "../changes/change.ts";
import { about } from "../data/about.ts";
import { useAnswer } from "../data/use-data.ts";
import { Panel } from "../frame/panel.tsx";
import { and, inEnvironment, literal, query } from "../pql/text.ts";
import { DifferenceTable } from "../traits/traits-panel.tsx";
import { formatTime, type TimeRange } from "../time/format.ts";
import { beginning, counted, valueText } from "../value/text.ts";
import { marked, Text, Value } from "../value/value.tsx";
import { rangeParameters } from "../data/use-query.ts";

export interface PrecedingPanelProps {
  /** The issue. */
  readonly id: string;
  readonly range: TimeRange;
}

/** Changes that are fetched at most. */
const MOST = 200;
/** Characters of a name and of a value. */
const SHOWN = 160;

const spans = { "1h": "1 hour", "6h": "6 hours", "24h": "1 day", "3d": "3 days", "7d": "7 days" } as const;
const spanCodec = oneOf(Object.keys(spans) as (keyof typeof spans)[], "24h");

/** What changed on the nodes of an issue before it, and not on others: the greatest difference first, each leads to its nodes. */
export function PrecedingPanel({ id, range }: PrecedingPanelProps): JSX.Element {
  const environment = useEnvironment();
  const [within, setWithin] = useParameter("within", spanCodec);
  const nodes = query("nodes", { where: inEnvironment("nodes", environment) });
  const loaded = useAnswer("issues/:id/preceding", {
    name: "What changed shortly before?",
    pql: nodes,
    adds: "which compares recorded changes before the failures with those of the other nodes",
    segment: id,
    parameters: { ...rangeParameters(range), env: environment, query: nodes, within, limit: MOST },
  });
  const found = loaded.value;
  return (
    <Panel
      title="What changed shortly before?"
      loaded={loaded}
      height={160}
      actions={
        <label>
          within{" "}
          <select
            value={within}
            onChange={({ currentTarget: { value } }) => setWithin(spanCodec.read([value]) ?? spanCodec.fallback)}
          >
            {Object.entries(spans).map(([span, label]) => (
              <option key={span} value={span}>
                {label}
              </option>
            ))}
          </select>
        </label>
      }
    >
      {found === undefined ? null : <Changes found={found} />}
    </Panel>
  );
}

function Changes({ found }: { readonly found: Preceding }): JSX.Element {
  const { changes, selected, rest, from } = found;
  const began = about.value?.history ?? undefined;
  const note =
    began === undefined || began <= from ? null : <p>Changes are recorded since {formatTime(began)} only.</p>;
  if (changes.length === 0) {
    return (
      <>
        <p>
          {rest === 0
            ? "There are no other nodes to compare with."
            : "No change that at least half of these nodes share sets them apart from the other nodes."}
        </p>
        {note}
      </>
    );
  }
  return (
    <>
      {note}
      <DifferenceTable
        {...found}
        what="Change"
        rows={changes.map((change) => ({
          key: JSON.stringify([change.kind, change.path, change.change, change.after]),
          kind: change.kind,
          name: (
            <>
              <a href={precedingHref(change, found)} title="Show the nodes with it">
                <bdi>{marked(beginning(nameOf(change), SHOWN))}</bdi>
              </a>{" "}
              <After change={change} />
            </>
          ),
          selected: change.selected,
          rest: change.rest,
        }))}
      >
        Before the first failure of {counted(selected, "node")}, compared with {counted(rest, "other")}
      </DifferenceTable>
    </>
  );
}

function nameOf({ kind, path }: PrecedingChange): string {
  const [first = "", second = ""] = path.map(String);
  switch (kind) {
    case "fact":
      return path.join(".");
    case "package":
      return `${first} (${second})`;
    case "resource":
      return `${first}[${second}]`;
    case "node":
      return nodeValueLabels[first] ?? first;
  }
}

/** What it became: `→ 3.0.2`, `removed`. */
function After({ change: { kind, change, after } }: { readonly change: PrecedingChange }): JSX.Element {
  const isNamed = kind === "resource" || change === "removed" || (kind === "node" && after === null);
  if (isNamed) return <span class="muted">{change}</span>;
  const versions =
    kind === "package" && Array.isArray(after) ? after.map((version) => valueText(version)).join(", ") : undefined;
  return (
    <>→ {versions === undefined ? <Value value={after} limit={SHOWN} /> : <Text text={versions} limit={SHOWN} />}</>
  );
}

/** The nodes that had a change in the time in which it counts. */
function precedingHref({ kind, path, change }: PrecedingChange, { from, to }: Pick<Preceding, "from" | "to">): string {
  const [first = "", second = ""] = path.map(String);
  const at = and(`from > ${literal(from)}`, `from <= ${literal(to)}`, `change = ${literal(change)}`);
  const of = {
    fact: ["fact_changes", `what = ${literal(path.join("."))}`],
    package: ["package_changes", `what = ${literal(first)} and provider = ${literal(second)}`],
    resource: ["resource_changes", `type = ${literal(first)} and title = ${literal(second)}`],
    node: ["catalog_changes", `what = ${literal(first)}`],
  } as const;
  const [entity, condition] = of[kind];
  return href("nodes", [], { q: `certname in ${entity}[certname]{ ${and(condition, at) ?? ""} }` });
}

import type { JSX } from "preact";
import { type Json, stringifyJson } from "#storage/json.ts";
import { href, useEnvironment, useParameter, useText } from "../address/address.ts";
import { type Sort, sort } from "../address/codecs.ts";
import { shareText } from "../charts/axis.ts";
import { useFacets, useQuery } from "../data/use-query.ts";
import { ExportMenu } from "../export/menu.tsx";
import { Page } from "../frame/page.tsx";
import { Loading, Panel, Problem } from "../frame/panel.tsx";
import { countedLabel, Tabs } from "../frame/tabs.tsx";
import { and, inEnvironment, literal, query, workbenchHref } from "../pql/text.ts";
import { factAddress, factField, type FactPath, readFactAddress } from "../pql/fact-path.ts";
import { kindOf, outliersOf, type ValueCount } from "./distribution.ts";
import { FactValues, Outliers } from "./values.tsx";
import { writeFilter } from "../facets/filters.ts";
import { type SinceOf, useSince } from "../changes/change.ts";
import type { Column } from "../table/column.ts";
import { DataTable } from "../table/data-table.tsx";
import { useQuerySource } from "../table/query-source.ts";
import { Value } from "../value/value.tsx";
import { useMemo, useState } from "preact/hooks";
import { FactTable } from "../facts/fact-table.tsx";
import { countedPaths, factLines } from "../facts/fact-tree.ts";
import { certnameColumn } from "../table/cells.tsx";
import { sinceColumn } from "../changes/since-column.tsx";

interface StructureProps {
  readonly path: FactPath;
  readonly environment: string | undefined;
}

/** The endpoint lists no more. */
const MOST_PATHS = 1000;

/** The parts of a structured fact; or, where no node has the path, a sentence that says so. */
function Structure({ path, environment }: StructureProps): JSX.Element {
  const [name = ""] = path;
  const within = `name = ${literal(String(name))}`;
  const parts = useFacets({
    name: "Parts of the fact",
    entity: "fact_contents",
    where: and(within, inEnvironment("fact_contents", environment)),
    facets: [["path"]],
    distinct: "value",
    limit: MOST_PATHS,
  });
  const types = useQuery<{ path: FactPath; type: string }>({
    name: "Types of the parts",
    pql: query("fact_paths", { select: ["path", "type"], where: within }),
    limit: 5000,
  });
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const leaves = useMemo(
    () => countedPaths(parts.value).filter((leaf) => path.every((part, index) => leaf.path[index] === part)),
    [parts.value, path],
  );
  const lines = useMemo(() => {
    const open = new Set(
      leaves
        .flatMap((leaf) => leaf.path.map((_, index) => factAddress(leaf.path.slice(0, index + 1))))
        .filter((id) => !closed.has(id)),
    );
    return factLines({ facts: [], leaves, types: types.value ?? [], open, isSearch: false });
  }, [leaves, types.value, closed]);
  // As many nodes have the fact as have its commonest part, or more.
  const having = Math.max(0, ...leaves.map((leaf) => leaf.nodes));
  const toggle = (id: string): void => {
    const next = new Set(closed);
    if (!next.delete(id)) next.add(id);
    setClosed(next);
  };
  const isWhole = path.length === 1 && lines.length > 0;
  const shownParts = (
    <Panel
      title={lines.length === 0 ? "Values" : "Parts"}
      loaded={[parts, types]}
      empty={
        lines.length === 0 ? (
          <p>No node has this fact{environment === undefined ? "" : " in this environment"}.</p>
        ) : undefined
      }
    >
      <p class="muted">
        {leaves.length.toLocaleString()} values in this structured fact. Choose one to see how the nodes differ in it.
      </p>
      <FactTable lines={lines} nodes={having} among="nodes that have this fact" onToggle={toggle} />
    </Panel>
  );
  const shownNodes = (
    <Panel title="Nodes">
      <NodeValues path={path} entity="facts" where={and(within, inEnvironment("facts", environment))} />
    </Panel>
  );
  if (!isWhole) return shownParts;
  return (
    <Tabs
      label="Parts of the fact"
      tabs={[
        { key: "parts", label: "Parts", content: shownParts },
        { key: "nodes", label: "Nodes", content: shownNodes },
      ]}
    />
  );
}

interface NodeValue {
  readonly certname: string;
  readonly value: Json;
}

interface NodeValuesProps {
  readonly path: FactPath;
  /** `facts` are facts as a whole, `fact_contents` the values in them. */
  readonly entity: "facts" | "fact_contents";
  /** A condition on that entity. */
  readonly where: string | undefined;
}

const sortCodec = sort({ field: "value", descending: false });

/** Which node has which value. */
export function NodeValues({ path, entity, where }: NodeValuesProps): JSX.Element {
  const [order, setOrder] = useParameter<Sort>("sort", sortCodec);
  const name = path.findLast((part) => typeof part === "string") ?? "";
  const direction = order.descending ? " desc" : "";
  const source = useQuerySource<NodeValue>({
    name: "Nodes with their values",
    entity,
    select: ["certname", "value"],
    where,
    orderBy: order.field === "certname" ? [`certname${direction}`] : [`value${direction}`, "certname"],
  });
  const shown = source.seen.flatMap(({ rows }) => rows.map(({ certname }) => certname));
  const since = useSince({ entity: "fact_changes", what: path.join(".") }, entity === "facts" ? [] : shown);
  const columns = columnsOf(name, entity === "facts" ? undefined : since);
  return (
    <DataTable<NodeValue>
      name="Nodes with this fact"
      columns={columns}
      source={source}
      sort={order}
      onSort={(next) => setOrder(next)}
    />
  );
}

function columnsOf(name: string, since: SinceOf | undefined): Column<NodeValue>[] {
  return [
    { ...certnameColumn<NodeValue>(), fits: 380, grows: false },
    {
      key: "value",
      title: "Value",
      width: 160,
      grows: true,
      sort: "value",
      cell: ({ value }) => <Value value={value} name={name} limit={300} />,
    },
    ...sinceColumn<NodeValue>(since),
  ];
}

/** The endpoint lists no more. */
const MOST_VALUES = 1000;
/** Different numbers that are fetched for their histogram. */
const MOST_NUMBERS = 50_000;

/** How does the fleet differ in this? */
export default function FactPage(): JSX.Element {
  const [address] = useText("path");
  const path = readFactAddress(address);
  if (path === undefined) {
    return (
      <Page title="Fact">
        <p>
          {address === "" ? "The address names no fact." : "The address names a path that cannot be read."}{" "}
          <a href={href("facts")}>All facts</a>
        </p>
      </Page>
    );
  }
  return <Fact key={address} path={path} />;
}

function Fact({ path }: { readonly path: FactPath }): JSX.Element {
  const environment = useEnvironment();
  const ofEnvironment = inEnvironment("fact_contents", environment);
  const where = and(atPath(path), ofEnvironment);
  const title = factAddress(path);
  const facets = useFacets({ name: "Values", entity: "fact_contents", where, facets: [["value"]], limit: MOST_VALUES });
  const fleet = useQuery<{ count: number }>({
    name: "All nodes",
    pql: query("nodes", { select: ["count()"], where: inEnvironment("nodes", environment) }),
  });
  const counted = facets.value?.facets[0];
  const kind = kindOf(counted?.values ?? []);
  const isMore = counted !== undefined && counted.distinct > counted.values.length;
  const numbers = useQuery<{ value: Json; count: number }>(
    isMore && kind === "numbers"
      ? {
          name: "All numbers",
          pql: query("fact_contents", { select: ["value", "count()"], where, groupBy: ["value"] }),
          limit: MOST_NUMBERS,
        }
      : undefined,
  );
  const having = facets.value?.total ?? 0;
  const all = fleet.value?.[0]?.count ?? 0;
  const values: readonly ValueCount[] = numbers.value ?? counted?.values ?? [];
  const isWaiting = isMore && kind === "numbers" && numbers.value === undefined;
  const outliers = isWaiting ? [] : outliersOf(values, having, kind);
  const isStructured = facets.value !== undefined && having === 0;
  const hrefOf = (value: Json): string => nodesHref(path, value, ofEnvironment);
  const shownValues = (
    <>
      <Panel title="Values" loaded={[facets, ...(isMore && kind === "numbers" ? [numbers] : [])]}>
        <FactValues
          path={path}
          kind={kind}
          values={values}
          distinct={counted?.distinct ?? 0}
          total={having}
          hrefOf={hrefOf}
          rangeHref={rangeHref(path)}
        />
      </Panel>
      {outliers.length === 0 ? null : <Outliers path={path} outliers={outliers} total={having} hrefOf={hrefOf} />}
    </>
  );
  return (
    <Page
      title={title}
      tabTitle={`${title} · Fact`}
      before={<a href={href("facts")}>Facts</a>}
      beside={
        facets.value === undefined || isStructured ? undefined : (
          <span class="muted fact-counts">
            {having.toLocaleString()} of {all.toLocaleString()} nodes have it ({shareText(having, all)}) ·{" "}
            {(counted?.distinct ?? 0).toLocaleString()} {counted?.distinct === 1 ? "value" : "different values"}
            {all > having ? (
              <>
                {" · "}
                <a href={hrefOf(null)}>missing on {(all - having).toLocaleString()} nodes</a>
              </>
            ) : null}
          </span>
        )
      }
      actions={
        isStructured ? undefined : (
          <ExportMenu
            name="fact"
            label="Nodes with their values"
            pql={query("fact_contents", { select: ["certname", "value"], where, orderBy: ["certname"] })}
            more={[
              {
                name: "values",
                label: "Values with counts",
                pql: query("fact_contents", { select: ["value", "count()"], where, groupBy: ["value"] }),
              },
            ]}
          />
        )
      }
    >
      {facets.value === undefined ? (
        facets.error === undefined ? (
          <Loading loaded={facets} height={300} />
        ) : (
          <Problem loaded={facets} />
        )
      ) : isStructured ? (
        <Structure path={path} environment={environment} />
      ) : (
        <Tabs
          label="Parts of the fact"
          tabs={[
            { key: "values", label: countedLabel("Values", counted?.distinct), content: shownValues },
            {
              key: "nodes",
              label: countedLabel("Nodes", having),
              content: (
                <Panel title="Nodes">
                  <NodeValues path={path} entity="fact_contents" where={where} />
                </Panel>
              ),
            },
          ]}
        />
      )}
    </Page>
  );
}

/** The condition on `fact_contents` that selects the values at a path. */
function atPath(path: FactPath): string {
  return `path = ${JSON.stringify(path)}`;
}

/** The nodes that have a value, null: that lack the fact: on the page of nodes, or where PQL has no field for it, as a query. */
function nodesHref(path: FactPath, value: Json, where: string | undefined): string {
  const field = factField(path);
  if (
    field !== undefined &&
    (typeof value !== "object" || value === null || Array.isArray(value) || "rawJSON" in value)
  ) {
    return href("nodes", [], { f: writeFilter({ field, value: value as never, excludes: false }) });
  }
  const equals = value === null ? undefined : `value = ${stringifyJson(value)}`;
  return workbenchHref(
    query("fact_contents", { select: ["certname", "value"], where: and(atPath(path), equals, where) }),
  );
}

/** The page of nodes with those whose number is in a range; undefined where PQL has no field for the path. */
function rangeHref(path: FactPath): ((from: number, to: number, withEnd: boolean) => string) | undefined {
  const field = factField(path);
  if (field === undefined) return undefined;
  return (from, to, withEnd) =>
    href("nodes", [], { q: `inventory{ ${field} >= ${from} and ${field} ${withEnd ? "<=" : "<"} ${to} }` });
}

import type { JSX } from "preact";
import { type Json, stringifyJson } from "#storage/json.ts";
import { href, useEnvironment, useParameter } from "../address/address.ts";
import { text } from "../address/codecs.ts";
import { shareText } from "../charts/axis.ts";
import { useFacets } from "../data/use-facets.ts";
import { useQuery } from "../data/use-query.ts";
import { ExportMenu } from "../export/menu.tsx";
import { Page } from "../frame/page.tsx";
import { Loading, Panel, Problem } from "../frame/panel.tsx";
import { countedLabel, Tabs } from "../frame/tabs.tsx";
import { Structure } from "./structure.tsx";
import { and, inEnvironment, query, workbenchHref } from "../pql/text.ts";
import { factAddress, factField, type FactPath, readFactAddress } from "../pql/fact-path.ts";
import { kindOf, outliersOf, type ValueCount } from "./distribution.ts";
import { NodeValues } from "./node-values.tsx";
import { Outliers } from "./outliers.tsx";
import { FactValues } from "./values.tsx";
import { writeFilter } from "../facets/filters.ts";

/** Only of structured facts. */
const pathCodec = text();

/** The endpoint lists no more. */
const MOST_VALUES = 1000;
/** Different numbers that are fetched for their histogram. */
const MOST_NUMBERS = 50_000;

/** How does the fleet differ in this? */
export default function FactPage(): JSX.Element {
  const [address] = useParameter("path", pathCodec);
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
  const showValues = (): JSX.Element => (
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
            { key: "values", label: countedLabel("Values", counted?.distinct), show: showValues },
            {
              key: "nodes",
              label: countedLabel("Nodes", having),
              show: () => (
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

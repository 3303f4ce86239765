import type { JSX } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { changeParameters } from "../address/address.ts";
import { useEnvironment } from "../address/environment.ts";
import { latest } from "../data/about.ts";
import { ExportMenu } from "../export/menu.tsx";
import { AddFact } from "../facets/add-fact.tsx";
import { FilterChips } from "../facets/chips.tsx";
import { filterCondition } from "../facets/conditions.ts";
import { type Filter, filtersCodec } from "../facets/filters.ts";
import { pinFact, pinnedFacts, unpinFact } from "../facets/pinned-facts.ts";
import { FacetSidebar } from "../facets/sidebar.tsx";
import { lineCondition } from "../filter-line/condition.ts";
import { FilterLine } from "../filter-line/filter-line.tsx";
import { GroupTable } from "./group-table.tsx";
import { TraitsPanel } from "../traits/traits-panel.tsx";
import { NodeColumnsDialog } from "./node-columns-dialog.tsx";
import { Page } from "../frame/page.tsx";
import { inEnvironment } from "../pql/environment.ts";
import { factTitle } from "../pql/fact-path.ts";
import { relatedField } from "../pql/related-field.ts";
import { and, literal } from "../pql/text.ts";
import { silentSince } from "../state/silent-since.ts";
import { nodeExports } from "./exports.ts";
import { GroupMenu } from "./group-menu.tsx";
import { rememberList } from "./last-list.ts";
import { nodeFacets } from "./node-facets.tsx";
import { hasEventColumns, NodeTable } from "./node-table.tsx";
import { defaultColumns, useNodesParameters } from "./parameters.ts";
import { namedNodes, SelectionBar } from "./selection-bar.tsx";
import { useNodes } from "./use-nodes.ts";
import { ViewMenu } from "./view-menu.tsx";

/** Which nodes are like this? */
export default function NodesPage(): JSX.Element {
  const environment = useEnvironment();
  const parameters = useNodesParameters();
  const [line, setLine] = parameters.line;
  const [filters, setFilters] = parameters.filters;
  const [columns, setColumns] = parameters.columns;
  const [group, setGroup] = parameters.group;
  const [names, setNames] = parameters.selected;
  const [activity] = parameters.activity;
  const [shares, setShares] = parameters.shares;
  const [choosesColumns, setChoosesColumns] = useState(false);

  const baseline = and(
    inEnvironment("nodes", environment),
    activity === "active" ? undefined : `node_state = ${literal(activity)}`,
  );
  const rows = { entity: "nodes", where: and(baseline, lineCondition(line, "certname")) };
  const where = and(rows.where, filterCondition(filters, { entity: "nodes", silentSince: silentSince.value }));
  const hasOrigins = (latest.value?.store.origins ?? []).length > 0;
  const facets = useMemo(() => nodeFacets(pinnedFacts.value, hasOrigins), [pinnedFacts.value, hasOrigins]);
  const selected = useMemo(() => new Set(names), [names]);
  const facts = columns.filter((key) => factTitle(key) !== undefined);
  const related = columns.filter((key) => relatedField(key) !== undefined);
  const nodes = useNodes({
    where,
    sort: parameters.sort[0],
    facts,
    related,
    withEvents: hasEventColumns(columns),
    withInactive: activity !== "active",
    isListed: group.length === 0,
  });
  const listed = `${location.pathname}${location.search}`;
  useEffect(() => rememberList({ address: listed, pql: nodes.pql }), [listed, nodes.pql]);
  return (
    <Page
      title="Nodes"
      actions={
        <>
          <ViewMenu />
          <GroupMenu group={group} facets={facets} onGroup={setGroup} />
          <button type="button" onClick={() => setChoosesColumns(true)}>
            Columns
          </button>
          <ExportMenu {...nodeExports(nodes.pql, { where, facts, related })} />
        </>
      }
    >
      <div class="with-facets">
        <FacetSidebar
          name="Nodes"
          {...rows}
          facets={facets}
          filters={filters}
          onFilters={setFilters}
          isRemovable={(field) => pinnedFacts.value.includes(field)}
          onRemove={(field) => {
            unpinFact(field);
            setFilters(filters.filter((one) => one.field !== field));
          }}
        >
          <AddFact label="Add a fact" onAdd={pinFact} />
        </FacetSidebar>
        <div class="nodes-list">
          <FilterLine
            entity="nodes"
            label="Filter nodes"
            placeholder='A part of the name, or PQL: latest_report_status = "failed"'
            value={line}
            onChange={setLine}
          />
          <FilterChips filters={filters} facets={facets} onFilters={setFilters} />
          {shares ? (
            <TraitsPanel
              selection={names.length === 0 ? where : namedNodes(names)}
              baseline={baseline}
              present={{ line, filters }}
              onClose={() => setShares(false)}
            />
          ) : line === "" && filters.length === 0 ? null : (
            <p class="nodes-share">
              <button type="button" onClick={() => setShares(true)}>
                What do they share?
              </button>
            </p>
          )}
          {group.length > 0 ? (
            <GroupTable rows={rows} facets={facets} filters={filters} fields={group.slice(0, 2)} onChoose={showGroup} />
          ) : (
            <NodeTable
              nodes={nodes}
              rows={rows}
              filters={filters}
              onFilters={setFilters}
              facets={facets}
              columns={columns}
              onColumns={setColumns}
              sort={parameters.sort[0]}
              onSort={parameters.sort[1]}
              selected={selected}
              onSelected={(next) => setNames([...next], { push: false })}
            />
          )}
          <SelectionBar
            selected={selected}
            onClear={() => setNames([], { push: false })}
            onShare={() => setShares(true)}
          />
        </div>
      </div>
      {choosesColumns ? (
        <NodeColumnsDialog
          shown={columns}
          onChange={setColumns}
          onReset={() => setColumns(defaultColumns)}
          onClose={() => setChoosesColumns(false)}
        />
      ) : null}
    </Page>
  );
}

/** From a group to its nodes. */
function showGroup(filters: readonly Filter[]): void {
  changeParameters({ f: filtersCodec.write(filters), group: undefined });
}

import type { JSX } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { changeParameters, href, useEnvironment } from "../address/address.ts";
import { latest } from "../data/about.ts";
import { ExportMenu } from "../export/menu.tsx";
import { AddFact } from "../facets/add-fact.tsx";
import { type Facet, facetLabel, type Filter, filterCondition, filtersCodec } from "../facets/filters.ts";
import { FacetSidebar, FilterChips } from "../facets/sidebar.tsx";
import { lineCondition } from "../filter-line/condition.ts";
import { FilterLine } from "../filter-line/filter-line.tsx";
import { GroupTable } from "./group-table.tsx";
import { TraitsPanel } from "../traits/traits-panel.tsx";
import { Page } from "../frame/page.tsx";
import { and, inEnvironment, literal, originField, query } from "../pql/text.ts";
import { factTitle } from "../pql/fact-path.ts";
import { mostUrgentFirst, silence, stateKeys } from "../state/states.ts";
import { lastList } from "./views.ts";
import { nodeColumn, nodeColumns } from "./columns.tsx";
import { NodeTable, useNodes } from "./node-table.tsx";
import { defaultColumns, pinFact, pinnedFacts, unpinFact, useNodesParameters } from "./parameters.ts";
import { ViewMenu } from "./view-menu.tsx";
import { ColumnList, ColumnsDialog, type ColumnsDialogProps } from "../table/columns-dialog.tsx";
import { StateMark } from "../state/state-mark.tsx";
import { CopyButton, Dialog } from "../frame/dialog.tsx";
import { visibleText } from "../value/text.ts";
import { nodeFields } from "../node/use-node.ts";

interface GroupMenuProps {
  readonly group: readonly string[];
  /** Fields that are offered. */
  readonly facets: readonly Facet[];
  readonly onGroup: (fields: readonly string[]) => void;
}

/** Fields that nodes are grouped by at once. */
const MOST = 2;

/** Counts nodes by one or two fields or facts instead of listing them. */
function GroupMenu({ group, facets, onGroup }: GroupMenuProps): JSX.Element {
  const [isOpen, setIsOpen] = useState(false);
  const labelOf = (field: string): string => visibleText(facetLabel(field, facets));
  const offered = [...facets.map(({ field }) => field), ...group.filter((field) => factTitle(field) !== undefined)];
  const switched = (field: string): readonly string[] =>
    group.includes(field) ? group.filter((one) => one !== field) : [...group, field].slice(-MOST);
  return (
    <>
      <button type="button" aria-pressed={group.length > 0} onClick={() => setIsOpen(true)}>
        {group.length === 0 ? "Group by" : `Grouped by ${group.map(labelOf).join(", ")}`}
      </button>
      {isOpen ? (
        <Dialog title="Group by" onClose={() => setIsOpen(false)}>
          <p>Counts the nodes by one or two fields.</p>
          <ul class="columns-list">
            {[...new Set(offered)].map((field) => (
              <li key={field}>
                <label>
                  <input type="checkbox" checked={group.includes(field)} onChange={() => onGroup(switched(field))} />{" "}
                  <bdi>{labelOf(field)}</bdi>
                </label>
              </li>
            ))}
          </ul>
          <AddFact label="Add a fact" onAdd={(field) => onGroup(switched(field))} />
          <p class="columns-actions">
            <button type="button" disabled={group.length === 0} onClick={() => onGroup([])}>
              List the nodes
            </button>
            <button type="button" class="primary" onClick={() => setIsOpen(false)}>
              Done
            </button>
          </p>
        </Dialog>
      ) : null}
    </>
  );
}

interface SelectionBarProps {
  readonly selected: ReadonlySet<string>;
  readonly onClear: () => void;
  readonly onShare: () => void;
}

/** Characters of a query that names nodes, at most: the server reads requests of up to 256 kB. */
const LONGEST_QUERY = 250_000;

/** What can be done with the selected nodes. */
function SelectionBar({ selected, onClear, onShare }: SelectionBarProps): JSX.Element | null {
  if (selected.size === 0) return null;
  const names = [...selected].sort();
  const pql = query("nodes", { select: nodeFields(), where: namedNodes(names), orderBy: ["certname"] });
  const isTooLong = JSON.stringify(pql).length > LONGEST_QUERY;
  return (
    <div class="selection-bar" role="region" aria-label="Selected nodes">
      <strong>{selected.size.toLocaleString()} selected</strong>
      {isTooLong ? null : (
        <button type="button" onClick={onShare}>
          What do they share?
        </button>
      )}
      {selected.size === 2 ? <a href={href("compare", [], { left: names[0], right: names[1] })}>Compare</a> : null}
      <CopyButton text={names.join("\n")}>Copy names</CopyButton>
      {isTooLong ? (
        <span class="muted">
          Too many names for a query, which may have {LONGEST_QUERY.toLocaleString()} characters: about 5,000 nodes.
          Filter the list and export that, or copy the names.
        </span>
      ) : (
        <ExportMenu name="selected-nodes" pql={pql} isMain={false} />
      )}
      <button type="button" class="plain" onClick={onClear}>
        Clear the selection
      </button>
    </div>
  );
}

/** The condition that selects nodes by their names. */
function namedNodes(names: readonly string[]): string {
  return `certname in [${names.map((name) => literal(name)).join(", ")}]`;
}

const fixed: readonly Facet[] = [
  {
    field: "state",
    label: "State",
    order: mostUrgentFirst,
    show: (value) => {
      const key = stateKeys.find((one) => one === value);
      return key === undefined ? undefined : <StateMark state={key} />;
    },
  },
  { field: "report_environment", label: "Environment" },
  { field: "facts.os.name", label: "OS" },
  { field: "facts.os.release.major", label: "OS release" },
  { field: "facts.puppetversion", label: "Agent version" },
  { field: "catalogs.producer", label: "Producer" },
  { field: "latest_report_noop", label: "Noop mode" },
];

/** The facets of nodes: the fixed ones, where servers are followed their names, and facts that were added. */
function nodeFacets(added: readonly string[], hasOrigins: boolean): readonly Facet[] {
  const more = added.filter((field) => fixed.every((facet) => facet.field !== field) && factTitle(field) !== undefined);
  return [
    ...fixed,
    ...(hasOrigins ? [{ field: originField, label: "Origin" }] : []),
    ...more.map((field) => ({ field, label: factTitle(field) ?? field })),
  ];
}

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
  const where = and(rows.where, filterCondition(filters, { entity: "nodes", silence: silence.value }));
  const hasOrigins = (latest.value?.store.origins ?? []).length > 0;
  const facets = useMemo(() => nodeFacets(pinnedFacts.value, hasOrigins), [pinnedFacts.value, hasOrigins]);
  const selected = useMemo(() => new Set(names), [names]);
  const known = [...new Set(columns)].filter((key) => nodeColumn(key) !== undefined);
  const nodes = useNodes({ where, sort: parameters.sort[0], columns: known, isListed: group.length === 0 });
  const listed = `${location.pathname}${location.search}`;
  const { exported } = nodes;
  useEffect(
    () => void lastList.write({ address: listed, pql: exported.pql, sort: exported.table?.sort ?? [] }),
    [listed, exported.pql],
  );
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
          <ExportMenu name="nodes" hasNames {...exported} />
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
              columns={known}
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
          onReset={() => setColumns(defaultColumns(filters))}
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

/** Chooses the columns of the nodes: fields, counts, and any fact. */
function NodeColumnsDialog(props: Omit<ColumnsDialogProps, "offered" | "children">): JSX.Element {
  const { shown, onChange } = props;
  const facts = shown.flatMap((key) => {
    const title = factTitle(key);
    return title === undefined ? [] : [{ key, title }];
  });
  return (
    <ColumnsDialog offered={nodeColumns} {...props}>
      <h3>Facts</h3>
      <ColumnList offered={facts} shown={shown} onChange={onChange} />
      <AddFact
        label="Add a fact as a column"
        onAdd={(field) => {
          if (!shown.includes(field)) onChange([...shown, field]);
        }}
      />
    </ColumnsDialog>
  );
}

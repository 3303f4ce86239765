import type { JSX } from "preact";
import { href, useEnvironment, useText } from "../address/address.ts";
import type { Issues } from "#storage/issues/issue.ts";
import type { Loaded } from "../data/use-data.ts";
import { ExportMenu } from "../export/menu.tsx";
import { Page } from "../frame/page.tsx";
import { Panel } from "../frame/panel.tsx";
import { countedLabel, Tabs } from "../frame/tabs.tsx";
import { useGrowing } from "../list/growing.tsx";
import { and, contains, inEnvironment, literal, query } from "../pql/text.ts";
import { useResource } from "../resource/use-resource.tsx";
import { useTimeRange } from "../time/range.ts";
import { beginning, counted, valueText, visibleText } from "../value/text.ts";
import { useFacets, useIssues, useQuery } from "../data/use-query.ts";
import { eventTabs } from "../resource/resource-events.tsx";
import { IssueItem } from "../issues/subject.tsx";
import { useMemo } from "preact/hooks";
import { sort as sortCodec } from "../address/codecs.ts";
import { CutNote, ListPage, ListTable, useNeedle } from "../list/list-page.tsx";
import { countColumn, textColumn } from "../table/cells.tsx";
import type { Column } from "../table/column.ts";
import { type ClassEvents, type ClassRow, classRows } from "./class-rows.ts";
import { ResourceLink } from "../value/resource-link.tsx";

const order = sortCodec({ field: "failing", descending: true });

/** Classes that are fetched at most; the search finds the others. */
const MOST_CLASSES = 1000;

const counts = (
  key: Exclude<keyof ClassRow, "name">,
  title: string,
  more: { readonly meaning?: string; readonly isFailure?: boolean },
): Column<ClassRow> => countColumn(key, title, (row) => row[key], more);

const columns: readonly Column<ClassRow>[] = [
  textColumn("name", "Class", ({ name }) => name, {
    width: 160,
    grows: true,
    hrefOf: ({ name }) => href("classes", [], { class: name }),
  }),
  counts("nodes", "Nodes", { meaning: "Nodes whose catalog has the class" }),
  counts("failing", "Failing nodes", {
    meaning: "Nodes where a resource of it failed in the latest run",
    isFailure: true,
  }),
  counts("failure", "Failures", { meaning: "Failed events of the latest runs" }),
  counts("success", "Changes", { meaning: "Successful events of the latest runs" }),
  counts("noop", "Pending", { meaning: "Simulated events of the latest runs" }),
  counts("skipped", "Skipped", { meaning: "Skipped resources of the latest runs" }),
];

/** All classes with their nodes, and what happened to their resources in the latest runs. */
function ClassList(): JSX.Element {
  const environment = useEnvironment();
  const [needle] = useNeedle();
  const where = and('type = "Class"', inEnvironment("resources", environment), contains(needle, "title"));
  const ofLatest = and("latest_report? = true", inEnvironment("events", environment));
  const classes = useFacets({
    name: "Classes",
    entity: "resources",
    where,
    facets: [["title"]],
    per: "certname",
    limit: MOST_CLASSES,
  });
  const failing = useFacets({
    name: "Nodes where a class fails",
    entity: "events",
    where: and('status = "failure"', ofLatest),
    facets: [["containing_class"]],
    per: "certname",
    limit: MOST_CLASSES,
  });
  const events = useQuery<ClassEvents>({
    name: "Events by class",
    pql: query("events", {
      select: ["containing_class", "status", "count()"],
      where: ofLatest,
      groupBy: ["containing_class", "status"],
    }),
  });
  const facet = classes.value?.facets[0];
  const rows = useMemo(
    () =>
      classRows({
        classes: facet?.values ?? [],
        failing: failing.value?.facets[0]?.values ?? [],
        events: events.value ?? [],
      }),
    [facet, failing.value, events.value],
  );
  return (
    <ListPage
      title="Classes"
      count={
        facet === undefined
          ? undefined
          : `${counted(facet.distinct, "class", "classes")} on ${counted(classes.value?.total ?? 0, "node")}`
      }
      search="Search classes"
      filters={<CutNote distinct={facet?.distinct} rows={rows.length} />}
      actions={
        <ExportMenu
          name="classes"
          pql={query("resources", { select: ["title", "count()"], where, groupBy: ["title"] })}
        />
      }
    >
      <ListTable
        name="Classes"
        columns={columns}
        rows={rows}
        loaded={classes}
        order={order}
        hrefOf={(row) => href("classes", [], { class: row.name })}
        empty={needle === "" ? "No catalog has a class." : "No class has this in its name."}
      />
    </ListPage>
  );
}

/** All classes that catalogs use, or one of them. */
export default function ClassesPage(): JSX.Element {
  const [name] = useText("class");
  return name === "" ? <ClassList /> : <OneClass key={name} name={name} />;
}

/** One class: its parameters and nodes, what it contains, where it fails, what happened. */
function OneClass({ name }: { readonly name: string }): JSX.Element {
  const heading = visibleText(beginning(name, 200));
  const { exporters, tabs } = useResource({ type: "Class", title: name });
  const range = useTimeRange();
  const issues = useIssues({
    name: "Issues of the class",
    range,
    environment: useEnvironment(),
    class: name,
    limit: MOST_ISSUES,
  });
  return (
    <Page title={heading} tabTitle={`${heading} · Classes`} before={<a href={href("classes")}>‹ Classes</a>}>
      {exporters}
      <Tabs
        label="Parts of the class"
        tabs={[
          ...tabs,
          { key: "contains", label: "Contains", content: <Contained name={name} /> },
          {
            key: "issues",
            label: countedLabel("Issues", issues.value?.total),
            content: <ClassIssues issues={issues} span={range.label} />,
          },
          ...eventTabs(`containing_class = ${literal(name)}`, { namesResource: true }),
        ]}
      />
    </Page>
  );
}

/** Issues that are listed; the page of issues has the others. */
const MOST_ISSUES = 10;

interface ClassIssuesProps {
  readonly issues: Loaded<Issues>;
  /** "last 24 hours" */
  readonly span: string;
}

/** What fails in a class. */
function ClassIssues({ issues: loaded, span }: ClassIssuesProps): JSX.Element {
  const issues = loaded.value?.issues ?? [];
  return (
    <Panel
      title="Issues"
      loaded={loaded}
      height={40}
      empty={
        loaded.value !== undefined && issues.length === 0 ? (
          <p class="muted">None of its resources failed in the {span}.</p>
        ) : undefined
      }
    >
      <ul class="issue-items">
        {issues.map((issue) => (
          <IssueItem key={issue.id} issue={issue} span={span} />
        ))}
      </ul>
    </Panel>
  );
}

/** Resources that are fetched at most. */
const MOST = 1000;

/** The resources directly in a class, with the number of nodes that have them there. */
function Contained({ name }: { readonly name: string }): JSX.Element {
  const environment = useEnvironment();
  const where = and(
    'relationship = "contains"',
    'source_type = "Class"',
    `source_title = ${literal(name)}`,
    environment === undefined ? undefined : `catalogs{ environment = ${literal(environment)} }`,
  );
  const loaded = useFacets({
    name: "Resources in the class",
    entity: "edges",
    where,
    facets: [["target_type", "target_title"]],
    per: "certname",
    limit: MOST,
  });
  const facet = loaded.value?.facets[0];
  const { shown, more } = useGrowing(facet?.values ?? [], { step: 100, noun: "resources" });
  return (
    <Panel
      title={facet === undefined ? "Contains" : `Contains ${facet.distinct.toLocaleString()} resources`}
      loaded={loaded}
      empty={facet?.values.length === 0 ? <p class="muted">It contains no resources.</p> : undefined}
      actions={
        <ExportMenu
          name="resources-in-class"
          pql={query("edges", {
            select: ["target_type", "target_title", "count()"],
            where,
            groupBy: ["target_type", "target_title"],
          })}
        />
      }
    >
      <ul class="contained">
        {shown.map(({ value, count }) => {
          const [type, title] = Array.isArray(value) ? value.map(valueText) : [];
          if (type === undefined || title === undefined) return null;
          return (
            <li key={`${type} ${title}`}>
              <ResourceLink resource={{ type, title }} />
              <span class="muted number">{counted(count, "node")}</span>
            </li>
          );
        })}
      </ul>
      {more}
      {facet !== undefined && facet.distinct > facet.values.length ? (
        <p class="muted">
          The {facet.values.length.toLocaleString()} on the most nodes are listed; the export has all.
        </p>
      ) : null}
    </Panel>
  );
}

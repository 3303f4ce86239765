import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { href, useEnvironment } from "../address/address.ts";
import { sort as sortCodec } from "../address/codecs.ts";
import { useFacets, useQuery } from "../data/use-query.ts";
import { ExportMenu } from "../export/menu.tsx";
import { CutNote, ListPage, ListTable, useNeedle } from "../list/list-page.tsx";
import { and, contains, inEnvironment, query } from "../pql/text.ts";
import { countColumn, textColumn } from "../table/cells.tsx";
import type { Column } from "../table/column.ts";
import { counted } from "../value/text.ts";
import { type ClassEvents, type ClassRow, classRows } from "./class-rows.ts";

const order = sortCodec({ field: "failing", descending: true });

/** Classes that are fetched at most; the search finds the others. */
const MOST = 1000;

const counts = (
  key: Exclude<keyof ClassRow, "name">,
  title: string,
  more: { readonly meaning?: string; readonly isFailure?: boolean },
): Column<ClassRow> => countColumn(key, title, (row) => row[key], { width: 128, ...more });

const columns: readonly Column<ClassRow>[] = [
  textColumn("name", "Class", ({ name }) => name, {
    width: 280,
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
export function ClassList(): JSX.Element {
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
    limit: MOST,
  });
  const failing = useFacets({
    name: "Nodes where a class fails",
    entity: "events",
    where: and('status = "failure"', ofLatest),
    facets: [["containing_class"]],
    per: "certname",
    limit: MOST,
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

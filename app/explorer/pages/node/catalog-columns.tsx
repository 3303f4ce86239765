import type { JSX } from "preact";
import type { LocalFacet } from "../facets/filters.ts";
import { StateShape } from "../state/state-mark.tsx";
import type { StateKey } from "../state/states.ts";
import type { Column } from "../table/column.ts";
import { Text } from "../value/value.tsx";
import type { CatalogResource } from "./catalog-rows.ts";

const none = <span class="muted">–</span>;

/** The columns of a catalog's resources. */
export const catalogColumns: readonly Column<CatalogResource>[] = [
  {
    key: "name",
    title: "Resource",
    width: 280,
    grows: true,
    sort: "name",
    fixed: true,
    value: ({ name }) => name,
    text: ({ name }) => name,
    cell: ({ type, title }) => (
      <>
        {type}[<Text text={title} limit={300} />]
      </>
    ),
  },
  {
    key: "status",
    title: "Last run",
    width: 100,
    sort: "status",
    value: ({ status }) => status,
    cell: ({ status }) => (status === undefined ? none : <EventMark status={status} />),
  },
  {
    key: "class",
    title: "Class",
    width: 170,
    sort: "class",
    value: ({ containingClass }) => containingClass,
    text: ({ containingClass }) => containingClass,
    cell: ({ containingClass }) => (containingClass === undefined ? none : <Text text={containingClass} limit={300} />),
  },
  {
    key: "place",
    title: "Place",
    width: 220,
    sort: "place",
    value: placeText,
    text: placeText,
    cell: (resource) => {
      const place = placeText(resource);
      return place === undefined ? none : <Text text={shortPlace(place)} limit={300} />;
    },
  },
  {
    key: "exported",
    title: "Exported",
    width: 84,
    sort: "exported",
    value: ({ exported }) => exported,
    cell: ({ exported }) => (exported ? "exported" : none),
  },
  {
    key: "tags",
    title: "Tags",
    width: 200,
    text: ({ tags }) => tags.join(", "),
    cell: ({ tags }) => <Text text={tags.join(", ")} limit={300} />,
  },
];

/** The facets of a catalog's resources. */
export const catalogFacets: readonly LocalFacet<CatalogResource>[] = [
  { field: "type", label: "Type", valuesOf: ({ type }) => [type] },
  { field: "status", label: "Last run", valuesOf: ({ status }) => [status ?? null], show: showStatus },
  { field: "class", label: "Class", valuesOf: ({ containingClass }) => [containingClass ?? null] },
  { field: "file", label: "File", valuesOf: ({ file }) => [file], show: showFile },
  { field: "exported", label: "Exported", valuesOf: ({ exported }) => [exported] },
];

/** `/etc/…/init.pp:42` */
export function placeText({ file, line }: Pick<CatalogResource, "file" | "line">): string | undefined {
  if (file === null) return undefined;
  return line === null ? file : `${file}:${line}`;
}

/** Without the folder of the environment, which is the same for all. */
function shortPlace(place: string): string {
  return place.replace(/^.*\/environments\/[^/]+\//, "");
}

const looks: Readonly<Record<string, readonly [StateKey, string]>> = {
  failure: ["failed", "failed"],
  success: ["changed", "changed"],
  noop: ["pending", "noop"],
  skipped: ["silent", "skipped"],
};

/** What happened to a resource, as shape, colour and word. */
export function EventMark({ status }: { readonly status: string }): JSX.Element {
  const look = looks[status];
  if (look === undefined) return <Text text={status} limit={100} />;
  const [state, label] = look;
  return (
    <span class={`state-mark state-${state}`}>
      <StateShape state={state} /> {label}
    </span>
  );
}

function showStatus(value: unknown): JSX.Element | undefined {
  return typeof value === "string" ? <EventMark status={value} /> : <span class="muted">nothing</span>;
}

function showFile(value: unknown): JSX.Element | undefined {
  return typeof value === "string" ? <Text text={shortPlace(value)} limit={300} /> : undefined;
}

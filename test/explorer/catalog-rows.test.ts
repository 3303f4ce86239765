import { describe, expect, it } from "vitest";
import { type LocalFacet, countedValues, filteredRows } from "#app/explorer/pages/facets/filters.ts";
import {
  catalogResources,
  containers,
  containment,
  type EdgeRow,
  type ResourceRow,
} from "#app/explorer/pages/node/catalog-rows.ts";

function edge(source: string, target: string, relationship = "contains"): EdgeRow {
  const [source_type = "", source_title = ""] = source.split("/");
  const [target_type = "", target_title = ""] = target.split("/");
  return { relationship, source_type, source_title, target_type, target_title };
}

function resource(type: string, title: string): ResourceRow {
  return { type, title, file: null, line: null, tags: [], exported: false };
}

const edges = [
  edge("Stage/main", "Class/Main"),
  edge("Class/Main", "Class/Nginx"),
  edge("Class/Nginx", "Nginx::Site/a"),
  edge("Nginx::Site/a", "File/a.conf"),
  edge("Class/Nginx", "Package/nginx"),
  edge("Package/nginx", "File/a.conf", "before"),
];

function event(status: string): { resource_type: string; resource_title: string; status: string } {
  return { resource_type: "File", resource_title: "a.conf", status };
}

describe("resources of a catalog", () => {
  it("are in the class that contains them, also within a defined type", () => {
    const rows = catalogResources([resource("File", "a.conf"), resource("Stage", "main")], edges, []);
    expect(rows.map(({ name, containingClass }) => [name, containingClass])).toStrictEqual([
      ["File[a.conf]", "Nginx"],
      ["Stage[main]", undefined],
    ]);
  });

  it("are contained from the outermost on, and a circle ends", () => {
    const chain = containment("File[a.conf]", containers(edges));
    expect(chain.map(({ source_title }) => source_title)).toStrictEqual(["main", "Main", "Nginx", "a"]);
    const circle = containers([edge("A/1", "B/2"), edge("B/2", "A/1")]);
    expect(containment("A[1]", circle)).toHaveLength(2);
  });

  it("have the worst of their events", () => {
    // oxlint-disable-next-line unicorn/consistent-function-scoping -- only this case uses it
    const status = (...statuses: string[]): string | undefined =>
      catalogResources([resource("File", "a.conf")], edges, statuses.map(event))[0]?.status;
    expect(status()).toBeUndefined();
    expect(status("success", "failure", "success")).toBe("failure");
    expect(status("noop", "skipped")).toBe("skipped");
  });
});

describe("facets of rows in the browser", () => {
  const rows = [
    { type: "File", status: "success" },
    { type: "File", status: null },
    { type: "Service", status: null },
  ];
  const facets: readonly LocalFacet<(typeof rows)[number]>[] = [
    { field: "type", label: "Type", valuesOf: ({ type }) => [type] },
    { field: "status", label: "Status", valuesOf: ({ status }) => [status] },
  ];
  const [type] = facets;

  it("show rows with one of the values of each field, and without those that are left out", () => {
    const files = { field: "type", value: "File", excludes: false };
    const nothing = { field: "status", value: null, excludes: true };
    expect(filteredRows(rows, facets, [files])).toHaveLength(2);
    expect(filteredRows(rows, facets, [files, { ...files, value: "Service" }])).toHaveLength(3);
    expect(filteredRows(rows, facets, [files, nothing])).toStrictEqual([rows[0]]);
  });

  it("count each field without its own filters, and keep a chosen value that no row has", () => {
    const filters = [
      { field: "type", value: "Exec", excludes: false },
      { field: "status", value: null, excludes: false },
    ];
    expect(type === undefined ? [] : countedValues(rows, type, facets, filters)).toStrictEqual([
      { value: "File", count: 1 },
      { value: "Service", count: 1 },
      { value: "Exec", count: 0 },
    ]);
  });
});

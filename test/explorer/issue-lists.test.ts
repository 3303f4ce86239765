import { expect, test } from "vitest";
import type { Issue } from "#storage/issues/issue.ts";
import { foldedParts } from "#app/explorer/pages/issues/folded-parts.ts";
import { countedValues, filteredRows, filtersCodec, type LocalFacet } from "#app/explorer/pages/facets/filters.ts";
import { searchedIssues, sortedIssues } from "#app/explorer/pages/issues/order.ts";

function issue(fields: Partial<Issue>): Issue {
  return {
    id: "v1-0",
    kind: "resource",
    type: "File",
    title: "/etc/motd",
    message: "no space",
    place: null,
    class: null,
    nodes: 1,
    events: 1,
    environments: ["production"],
    first: "2026-11-20T10:00:00Z",
    last: "2026-11-20T11:00:00Z",
    state: "continuing",
    common: "v2-0",
    isHere: false,
    elsewhere: 0,
    still: 1,
    joined: 0,
    recovered: 0,
    sample: { certname: "a", report: "b" },
    spark: [],
    ...fields,
  };
}

test("a message is parted into what is the same and what differs", () => {
  expect(foldedParts("port <n> of <node>: <script> <ip>")).toEqual([
    { text: "port ", isFolded: false },
    { text: "n", isFolded: true },
    { text: " of ", isFolded: false },
    { text: "node", isFolded: true },
    { text: ": <script> ", isFolded: false },
    { text: "ip", isFolded: true },
  ]);
});

test("issues are ordered by nodes, events and times, the most and the newest first", () => {
  const issues = [
    issue({ id: "few", nodes: 1, events: 90, first: "2026-11-20T10:30:00Z" }),
    issue({ id: "many", nodes: 7, events: 8, last: "2026-11-20T10:30:00+00:00" }),
    issue({ id: "late", nodes: 2, events: 9, last: "2026-11-20T12:00:00.5Z" }),
  ];
  const ids = (order: Parameters<typeof sortedIssues>[1]): string[] => sortedIssues(issues, order).map(({ id }) => id);
  expect(ids("nodes")).toEqual(["many", "late", "few"]);
  expect(ids("events")).toEqual(["few", "late", "many"]);
  expect(ids("last")).toEqual(["late", "few", "many"]);
  expect(ids("first")).toEqual(["few", "many", "late"]);
});

test("issues are limited by text and by facets, of environments by any that an issue has", () => {
  const issues = [
    issue({ id: "a", class: "Motd", environments: ["production", "staging"] }),
    issue({ id: "b", kind: "catalog", type: null, title: null, message: "Could not RETRIEVE" }),
    issue({ id: "c", type: "Package", title: "nginx", class: "Nginx" }),
  ];
  const searched = (text: string): string[] => searchedIssues(issues, text).map(({ id }) => id);
  expect(searched("")).toEqual(["a", "b", "c"]);
  expect(searched("retrieve")).toEqual(["b"]);
  expect(searched("NGINX")).toEqual(["c"]);
  const environment: LocalFacet<Issue> = {
    field: "environment",
    label: "Environment",
    valuesOf: ({ environments }) => environments,
  };
  const facets: readonly LocalFacet<Issue>[] = [
    { field: "kind", label: "Kind", valuesOf: ({ kind }) => [kind] },
    { field: "type", label: "Type", valuesOf: ({ type }) => [type] },
    { field: "class", label: "Class", valuesOf: (one) => [one.class] },
    environment,
  ];
  const filtered = (...filters: string[]): string[] =>
    filteredRows(issues, facets, filtersCodec.read(filters) ?? []).map(({ id }) => id);
  expect(filtered('kind="catalog"')).toEqual(["b"]);
  expect(filtered('type="Package"', "class=null")).toEqual([]);
  expect(filtered("class=null")).toEqual(["b"]);
  expect(filtered('environment="staging"')).toEqual(["a"]);
  expect(filtered('environment!="staging"')).toEqual(["b", "c"]);
  expect(countedValues(issues, environment, facets, [])).toEqual([
    { value: "production", count: 3 },
    { value: "staging", count: 1 },
  ]);
});

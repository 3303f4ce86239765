import { expect, test } from "vitest";
import type { Issue } from "#app/explorer/pages/data/use-issues.ts";
import { foldedParts } from "#app/explorer/pages/issues/folded-parts.ts";
import { filteredIssues, sortedIssues } from "#app/explorer/pages/issues/order.ts";

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
    isNew: false,
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

test("issues are limited by kind, type, class and text", () => {
  const issues = [
    issue({ id: "a", class: "Motd" }),
    issue({ id: "b", kind: "catalog", type: null, title: null, message: "Could not RETRIEVE" }),
    issue({ id: "c", type: "Package", title: "nginx", class: "Nginx" }),
  ];
  const none = { kind: "", type: "", class: "", text: "" };
  const ids = (filter: Partial<typeof none>): string[] =>
    filteredIssues(issues, { ...none, ...filter }).map(({ id }) => id);
  expect(ids({})).toEqual(["a", "b", "c"]);
  expect(ids({ kind: "catalog" })).toEqual(["b"]);
  expect(ids({ type: "Package" })).toEqual(["c"]);
  expect(ids({ class: "Motd" })).toEqual(["a"]);
  expect(ids({ text: "retrieve" })).toEqual(["b"]);
  expect(ids({ text: "NGINX" })).toEqual(["c"]);
});

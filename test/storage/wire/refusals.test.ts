import { describe, expect, it } from "vitest";
import { CensusError } from "#storage/errors.ts";
import { type Json, parseJson } from "#storage/json.ts";
import type { CommandName } from "#storage/wire/commands.ts";
import {
  catalog,
  classResource,
  edge,
  event,
  facts,
  fileResource,
  inputs,
  log,
  read,
  refusal,
  report,
  reportResource,
  without,
} from "./payloads.ts";

/** What discards a command (reference/commands.md §2.5, §3), and how the message says where it is. */

const catalogOf = (...resources: Json[]): Json => catalog({ resources, edges: [] });
const reportOf = (resource: Json): Json => report({ resources: [resource] });
const deep = parseJson(`${"[".repeat(1001)}${"]".repeat(1001)}`);

const CASES: Record<string, readonly (readonly [payload: Json, message: string])[]> = {
  "replace catalog v9": [
    [null, "payload: expected an object, found null"],
    [7, "payload: expected an object, found a number"],
    ["{", "payload: a string that is not JSON text"],
    ["[]", "payload: expected an object, found a list"],
    [catalog({ certname: 5 }), "certname: expected a string, found a number"],
    [without(catalog(), "code_id"), "code_id: missing"],
    [without(catalog(), "catalog_uuid"), "catalog_uuid: missing"],
    [without(catalog(), "producer"), "producer: missing"],
    [catalog({ job_id: 7 }), "job_id: expected a string, found a number"],
    [catalog({ version: null }), "version: expected a string, found null"],
    [catalog({ transaction_uuid: "abc" }), 'transaction_uuid: "abc" is not a UUID'],
    [catalog({ catalog_uuid: 1 }), "catalog_uuid: expected a UUID, found a number"],
    [catalog({ producer_timestamp: "soon" }), 'producer_timestamp: expected a date-time, found "soon"'],
    [catalog({ producer_timestamp: null }), "producer_timestamp: expected a date-time, found null"],
    [catalog({ environment: "a\0b" }), "environment: the character U+0000 cannot be stored here"],
    [catalog({ resources: null }), "resources: expected a list, found null"],
    [catalog({ resources: {} }), "resources: expected a list, found an object"],
    [catalog({ edges: null }), "edges: expected a list, found null"],
    [catalogOf(classResource(), "x"), "resources[1]: expected an object, found a string"],
    [catalogOf(fileResource({ type: null })), "resources[0].type: expected a string, found null"],
    [catalogOf(fileResource({ title: null })), "resources[0].title: expected a string, found null"],
    [catalogOf(without(fileResource(), "exported")), "resources[0].exported: missing"],
    [catalogOf(fileResource({ exported: "no" })), "resources[0].exported: expected a boolean, found a string"],
    [catalogOf(without(fileResource(), "tags")), "resources[0].tags: missing"],
    [catalogOf(fileResource({ tags: null })), "resources[0].tags: expected a list, found null"],
    [catalogOf(fileResource({ tags: ["a", 1] })), "resources[0].tags[1]: expected a string, found a number"],
    [
      catalogOf(fileResource({ tags: ["Foo"] })),
      'resources[0].tags[0]: "Foo" is not a tag: no upper case, letters, digits and _ first, then also : . -',
    ],
    [catalogOf(fileResource({ line: "12" })), "resources[0].line: expected an integer, found a string"],
    [catalogOf(fileResource({ title: ["x"] })), "resources[0].title: expected a string, found a list"],
    [catalogOf(fileResource({ title: "a\0" })), "resources[0].title: the character U+0000 cannot be stored here"],
    [catalogOf(fileResource({ tags: { a: 1 } })), "resources[0].tags: expected a list, found an object"],
    [catalogOf(fileResource({ line: 2 ** 31 })), "resources[0].line: does not fit into 32 bits"],
    [catalogOf(fileResource({ parameters: [1] })), "resources[0].parameters: expected an object, found a list"],
    [catalogOf(fileResource({ parameters: { a: deep } })), "resources[0].parameters: nested deeper than 1000 levels"],
    [
      catalogOf(fileResource(), classResource(), fileResource()),
      'resources[2]: "File[/tmp/x]" occurs twice, first as resources[0]',
    ],
    [
      catalog({ edges: [edge({ relationship: "foo" })] }),
      'edges[0].relationship: expected one of contains, required-by, notifies, before, subscription-of, found "foo"',
    ],
    [catalog({ edges: [without(edge(), "relationship")] }), "edges[0].relationship: missing"],
    [catalog({ edges: [edge(), edge({ source: { type: "Class" } })] }), "edges[1].source.title: missing"],
    [
      catalog({ edges: [edge({ target: { type: "File", title: "/tmp/x", "a b": 1 } })] }),
      'edges[0].target["a b"]: unknown key',
    ],
    [
      catalog({ edges: [edge({ target: { type: "File", title: "/y" } })] }),
      'edges[0].target: "File[/y]" is not among the resources',
    ],
    [
      catalog({ edges: [edge({ source: { type: "Class", title: "Nowhere" } })] }),
      'edges[0].source: "Class[Nowhere]" is not among the resources',
    ],
  ],
  "replace facts v5": [
    [without(facts(), "producer"), "producer: missing"],
    [without(facts(), "environment"), "environment: missing"],
    [facts({ producer_timestamp: "junk" }), 'producer_timestamp: expected a date-time, found "junk"'],
    [facts({ values: [] }), "values: expected an object, found a list"],
    [facts({ values: null }), "values: expected an object, found null"],
    [facts({ values: { a: deep } }), "values: nested deeper than 1000 levels"],
    [facts({ extra: 1 }), "extra: unknown key"],
    [facts({ constructor: 1 }), "constructor: unknown key"],
    [
      facts({ package_inventory: [["a", "1"]] }),
      "package_inventory[0]: expected [name, version, provider], found a list of 2",
    ],
    [facts({ package_inventory: [["a", 1, "apt"]] }), "package_inventory[0][1]: expected a string, found a number"],
    [facts({ package_inventory: "all" }), "package_inventory: expected a list, found a string"],
  ],
  "store report v8": [
    [report({ environment: null }), "environment: expected a string, found null"],
    [report({ type: "other" }), 'type: expected one of agent, plan, found "other"'],
    [report({ type: null }), "type: expected one of agent, plan, found null"],
    [report({ report_format: 40_000 }), "report_format: does not fit into 16 bits"],
    [
      report({ report_format: parseJson("123456789012345678901234567890") }),
      "report_format: does not fit into 16 bits",
    ],
    [report({ transaction_uuid: "x" }), 'transaction_uuid: "x" is not a UUID'],
    [
      report({ start_time: "2024-01-02" }),
      'start_time: expected an ISO date-time with zone, e.g. 2024-01-02T03:04:05.678Z, found "2024-01-02"',
    ],
    [report({ end_time: 0 }), "end_time: expected an ISO date-time, found a number"],
    [report({ surplus: 1 }), "surplus: unknown key"],
    [
      report({ metrics: [{ category: "a", name: "b", value: null }] }),
      "metrics[0].value: expected a number, found null",
    ],
    [report({ logs: [log({ line: 1.5 })] }), "logs[0].line: expected an integer, found a number"],
    [report({ logs: [log(), log({ host: "h" })] }), "logs[1].host: unknown key"],
    [report({ logs: [without(log(), "time")] }), "logs[0].time: missing"],
    [reportOf(without(reportResource(), "skipped")), "resources[0].skipped: missing"],
    [
      reportOf(reportResource({ resource_type: "a\0" })),
      "resources[0].resource_type: the character U+0000 cannot be stored here",
    ],
    [
      reportOf(reportResource({ containment_path: [1] })),
      "resources[0].containment_path[0]: expected a string, found a number",
    ],
    [
      reportOf(reportResource({ events: [without(event(), "old_value")] })),
      "resources[0].events[0].old_value: missing",
    ],
    [reportOf(reportResource({ events: [event({ audited: true })] })), "resources[0].events[0].audited: unknown key"],
    [
      reportOf(reportResource({ events: [event({ message: 1 })] })),
      "resources[0].events[0].message: expected a string, found a number",
    ],
  ],
  "store report v5": [
    [without(report({ resource_events: [7] }), "resources"), "resources[0]: expected an object, found a number"],
    [without(report({ resource_events: "x" }), "resources"), "resources: expected a list, found a string"],
  ],
  "deactivate node v3": [
    ["web-01", "payload: expected an object, found a string"],
    [{}, "certname: missing"],
    [{ certname: "web-01", a: 1 }, "a: unknown key"],
    [{ certname: "web-01", producer_timestamp: "x" }, 'producer_timestamp: expected a date-time, found "x"'],
  ],
  "deactivate node v1": [["web-01", "payload: expected an object, found null"]],
  "replace catalog inputs v1": [
    [without(inputs(), "catalog_uuid"), "catalog_uuid: missing"],
    [inputs({ catalog_uuid: "x" }), 'catalog_uuid: "x" is not a UUID'],
    [inputs({ inputs: [["hiera"]] }), "inputs[0]: expected [type, name], found a list of 1"],
    [inputs({ inputs: ["hiera"] }), "inputs[0]: expected a list [type, name], found a string"],
  ],
  "configure expiration v1": [
    [{ certname: "web-01" }, "expire: missing"],
    [{ certname: "web-01", expire: { facts: 1 } }, "expire.facts: expected a boolean, found a number"],
    [{ certname: "web-01", expire: { facts: true, catalogs: true } }, "expire.catalogs: unknown key"],
  ],
};

describe.each(Object.entries(CASES))("%s refuses", (subject, cases) => {
  const [, command, version] = /^(.*) v(\d)$/.exec(subject) as unknown as [string, CommandName, string];

  it.each(cases.map(([payload, problem]) => ({ payload, problem })))("$problem", ({ payload, problem }) => {
    const message = refusal(command, Number(version), payload);
    expect(message.replace(/^WireError: [a-z ]+ v\d(?: of web-01)?: /, "")).toBe(problem);
  });
});

describe("a refusal", () => {
  it("names command, version, certname and place", () => {
    const payload = catalogOf(classResource(), fileResource({ tags: [3] }));
    expect(refusal("replace catalog", 9, payload)).toBe(
      "WireError: replace catalog v9 of web-01: resources[1].tags[0]: expected a string, found a number",
    );
    expect(() => read("replace catalog", 9, payload)).toThrow(CensusError);
  });

  it("stays one line for any certname", () => {
    expect(refusal("replace facts", 5, facts({ certname: "a\nb", producer: 1 }))).toBe(
      String.raw`WireError: replace facts v5 of "a\nb": producer: expected a string, found a number`,
    );
  });

  it("spells out five problems and counts the others", () => {
    const resources = Array.from({ length: 30 }, () => 1);
    expect(refusal("replace catalog", 9, catalogOf(...resources))).toMatch(
      /resources\[4\]: expected an object, found a number; and 25 more$/,
    );
  });

  it.each([
    ["replace facts", 99],
    ["replace facts", 1],
    ["replace catalog", 3],
    ["store report", 9],
    ["deactivate node", 0],
  ] as const)("of an unknown version: %s %d", (command, version) => {
    expect(refusal(command, version, {})).toBe(`WireError: Unsupported command ${command} version ${version}`);
  });
});

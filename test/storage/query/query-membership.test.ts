import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Json } from "#storage/json.ts";
import type { Store } from "#storage/store.ts";
import { everyRow, fieldOf, populatedStore, refusalOf, certnames } from "#test/fixture-store.ts";
import { refused } from "./refused.ts";

let store: Store;
beforeAll(async () => {
  store = await populatedStore();
});
afterAll(() => store.close());

describe("in with a subquery (reference/query.md §7)", () => {
  it.each<[entity: string, query: Json[], found: string]>([
    ["nodes", ["in", "certname", ["extract", "certname", ["select_facts", ["=", "name", "count"]]]], "ab"],
    ["nodes", ["in", "certname", ["extract", ["certname"], ["select_facts"]]], "abcd"],
    ["nodes", ["in", ["certname"], ["extract", ["certname"], ["select_facts"]]], "abcd"],
    // Reports have the filter of their type, so that their own fields are extracted (PuppetDB 7.12).
    ["nodes", ["in", "latest_report_hash", ["extract", "hash", ["select_reports"]]], "abcd"],
    // columns beyond the fields are ignored
    ["nodes", ["in", "certname", ["extract", ["certname", "value"], ["select_facts", ["=", "name", "count"]]]], "ab"],
    // several columns are compared as tuples
    [
      "facts",
      [
        "in",
        ["certname", "name"],
        ["extract", ["certname", "name"], ["select_fact_contents", ["=", "path", ["os", "family"]]]],
      ],
      "abd",
    ],
    [
      "nodes",
      [
        "in",
        ["certname", "catalog_environment"],
        ["extract", ["certname", "environment"], ["select_factsets", ["null?", "certname", false]]],
      ],
      "abd",
    ],
    ["nodes", ["in", "latest_report_hash", ["extract", "latest_report_hash", ["select_latest_report"]]], "abcd"],
    ["nodes", ["in", "certname", ["from", "facts", ["extract", "certname", ["=", "name", "count"]]]], "ab"],
    [
      "nodes",
      [
        "in",
        "certname",
        ["from", "facts", ["extract", "certname"], ["order_by", [["certname", "desc"]]], ["limit", 1]],
      ],
      "c",
    ],
    [
      "nodes",
      [
        "in",
        "certname",
        ["from", "nodes", ["extract", "certname"], ["order_by", ["certname"]], ["limit", 2], ["offset", 1]],
      ],
      "bd",
    ],
    [
      "nodes",
      ["in", "certname", ["from", "nodes", ["extract", "certname"], ["offset", 4], ["order_by", ["certname"]]]],
      "cz",
    ],
    // nested
    [
      "nodes",
      [
        "in",
        "certname",
        [
          "extract",
          "certname",
          [
            "select_resources",
            [
              "and",
              ["=", "type", "Package"],
              ["in", "certname", ["extract", "certname", ["select_facts", ["=", "value", "Darwin"]]]],
            ],
          ],
        ],
      ],
      "b",
    ],
    [
      "resources",
      ["in", "resource", ["extract", "res_param_resource", ["select_params", ["=", "res_param_name", "mode"]]]],
      "a",
    ],
    [
      "resources",
      ["in", "certname", ["extract", "certname", ["select_edges", ["=", "relationship", "notifies"]]]],
      "aaaa",
    ],
    ["nodes", ["not", ["in", "certname", ["extract", "certname", ["select_catalogs"]]]], "cez"],
    [
      "nodes",
      ["in", "certname", ["extract", "certname", ["select_package_inventory", ["=", "package_name", "vim"]]]],
      "a",
    ],
    ["facts", ["in", "name", ["extract", "name", ["select_fact_paths", ["=", "type", "boolean"]]]], "aabbc"],
    // types are brought together, inner to outer
    ["resources", ["in", "line", ["extract", "value", ["select_facts", ["=", "name", "uptime"]]]], "abd"],
    ["nodes", ["in", "latest_report_status", ["extract", "status", ["select_reports", ["=", "noop", true]]]], "c"],
    ["facts", ["in", "value", ["extract", "title", ["select_resources", ["null?", "title", false]]]], ""],
    [
      "facts",
      [
        "in",
        "value",
        ["extract", "value", ["select_facts", ["and", ["=", "certname", "beta"], ["=", "name", "kernel"]]]],
      ],
      "b",
    ],
    ["resources", ["in", "tags", ["extract", "tags", ["select_resources", ["=", "title", "/etc/ntp.conf"]]]], "a"],
    ["resources", ["in", "tags", ["extract", "inputs", ["select_catalog_inputs", ["null?", "certname", false]]]], ""],
    ["nodes", ["in", "report_timestamp", ["extract", "end_time", ["select_reports", ["=", "certname", "beta"]]]], "b"],
    ["nodes", ["in", "certname", ["array", ["alpha", "zeta", "nosuch", "alpha"]]], "az"],
    ["nodes", ["in", "certname", ["array", Array.from({ length: 100 }, (_, i) => (i === 50 ? "beta" : `n${i}`))]], "b"],
  ])("selects the right rows: %s %j: %s", async (entity, query, found) => {
    expect(await fieldOf(store, entity, "certname", query)).toEqual(certnames(found));
  });
});

describe("invalid memberships", () => {
  const forms = /cannot be read: (?:in takes a field and a list or a subquery|write \["in", field, \["from")/;
  it.each<[entity: string, query: Json[], text: string | RegExp]>([
    [
      "nodes",
      ["in", "bogus", ["array", ["a"]]],
      /^'bogus' is not a queryable object for nodes\. Known queryable objects are 'cached_catalog_status', /,
    ],
    [
      "facts",
      ["in", "test"],
      "Can't match on unknown 'facts' field 'test' for 'in'. Acceptable fields are 'certname', 'environment', 'name', and 'value'",
    ],
    ["facts", ["in", "bogus", "a", "b"], /^Can't match on unknown 'facts' field 'bogus' for 'in'/],
    ["nodes", ["in"], forms],
    ["nodes", ["in", "certname", ["array"]], /cannot be read: array takes one list/],
    ["nodes", ["in", ["fact", "kernel"], ["from", "facts"]], /cannot be read: a fact takes a list/],
    [
      "nodes",
      ["in", ["certname", "bogus", "nope"], ["extract", ["certname"], ["select_facts"]]],
      /^Can't match on unknown 'nodes' fields 'bogus' and 'nope' for 'in'/,
    ],
    [
      "nodes",
      ["in", "certname", ["extract", "bogus", ["select_facts", ["=", "name", "a"]]]],
      "Can't extract unknown 'facts' field 'bogus'. Acceptable fields are 'certname', 'environment', 'name', and 'value'",
    ],
    [
      "nodes",
      ["in", "certname", ["extract", "line", ["select_resources"]]],
      /^Can't extract unknown 'nodes' field 'line'/,
    ],
    [
      "nodes",
      ["in", "certname", ["extract", "bogus", ["select_reports"]]],
      /^Can't extract unknown 'reports' field 'bogus'/,
    ],
    ["nodes", ["in", "certname", ["extract", "certname", ["select_bogus"]]], "Unsupported subquery `select_bogus`"],
    [
      "nodes",
      ["in", "certname", ["extract", "certname", ["select-facts"]]],
      "Unsupported subquery `select-facts` - did you mean `select_facts`?",
    ],
    [
      "nodes",
      ["in", "certname", ["extract", "certname", ["select_fact_names"]]],
      "Unsupported subquery `select_fact_names`",
    ],
    ["nodes", ["in", "certname", ["array", "x"]], "Operator array requires a vector argument"],
    ["nodes", ["in", "certname", ["select_facts"]], /./],
    ["nodes", ["in", "certname"], forms],
    ["nodes", ["in", "certname", "alpha"], forms],
    ["nodes", ["in", ["certname", "expired"], ["extract", ["certname"], ["select_facts"]]], /in compares 2 fields/],
    [
      "nodes",
      ["in", "certname", ["from", "bogus", ["extract", "certname"]]],
      /^Can't extract unknown 'null' field 'certname'/,
    ],
    [
      "nodes",
      ["in", "certname", ["from", "fact-contents", ["extract", "certname"]]],
      /^Can't extract unknown 'null' field 'certname'/,
    ],
    ["nodes", ["in", "certname", ["from", "facts", ["extract", "certname", ["group_by", "certname"]]]], forms],
    ["nodes", ["in", "certname", ["from", "facts"]], forms],
    [
      "nodes",
      ["in", ["certname"], ["from", "fact_paths", ["extract", ["depth"], ["<", "path", "a"]]]],
      "Can't extract unknown 'fact_paths' field 'depth'. Acceptable fields are 'type', 'path', and 'name'",
    ],
    ["nodes", ["from", "nodes"], /root/],
  ])("are rejected: %s %j", async (entity, query, text) => {
    const refusal = await refusalOf(store, { of: everyRow(entity), query });
    expect(refusal).toEqual(refused(text));
  });
});

import { describe, expect, it } from "vitest";
import { eventsForm } from "#cli/short-forms/events.ts";
import { factsForm } from "#cli/short-forms/facts.ts";
import { nodesForm } from "#cli/short-forms/nodes.ts";
import { reportsForm } from "#cli/short-forms/reports.ts";
import { resourcesForm } from "#cli/short-forms/resources.ts";
import type { ShortForm } from "#cli/short-forms/run.ts";
import { parsePql } from "#storage/query/pql/parse.ts";
import { planQuery } from "#storage/query/query.ts";
import { parseTimestamp } from "#storage/time.ts";

const NOW = parseTimestamp("2026-11-20T12:00:00Z") ?? 0n;
const HASH = "612d4eed28f0816e1b98e39421ebd31824b7ce12";

/** The text of a query, which must be valid. */
function pqlOf({ query }: Pick<ShortForm, "query">): string {
  const text = query(NOW);
  planQuery({ of: "root", query: parsePql(text) }, { purgeHorizon: 0n });
  return text;
}

const nodes = "nodes[certname, latest_report_status, report_timestamp, report_environment]";
const reports = "reports[certname, status, noop, environment, start_time, end_time, hash, metrics]";
const events =
  "events[certname, timestamp, status, resource_type, resource_title, property, message, file, line, report]";
const newest = "order by end_time desc, certname limit";
const inOrder = "order by timestamp, certname, resource_type, resource_title";

describe("the query of a short form", () => {
  it.each<[what: string, form: Pick<ShortForm, "query">, pql: string]>([
    ["nodes", nodesForm({}), `${nodes} { order by certname }`],
    ["nodes web-01", nodesForm({ certname: "web-01" }), `${nodes} { certname = "web-01" order by certname }`],
    [
      "nodes web-*.eu",
      nodesForm({ certname: "web-*.eu" }),
      `${nodes} { certname ~ "^web-.*\\\\.eu$" order by certname }`,
    ],
    [
      "nodes --status failed --limit 5",
      nodesForm({ status: "failed", limit: "5" }),
      `${nodes} { latest_report_status = "failed" order by certname limit 5 }`,
    ],
    [
      "nodes --status none",
      nodesForm({ status: "none" }),
      `${nodes} { latest_report_status is null order by certname }`,
    ],
    [
      "nodes --silent 2h",
      nodesForm({ silent: "2h" }),
      `${nodes} { (report_timestamp < "2026-11-20T10:00:00.000Z" or report_timestamp is null) order by report_timestamp, certname }`,
    ],
    [
      "nodes --environment x --class profile::base",
      nodesForm({ environment: "x", class: "profile::base" }),
      `${nodes} { (report_environment = "x" or catalog_environment = "x" or facts_environment = "x") and resources { type = "Class" and title = "Profile::Base" } order by certname }`,
    ],
    [
      "nodes --fact os.release.major=12",
      nodesForm({ fact: "os.release.major=12" }),
      `${nodes} { inventory { facts.os.release.major = 12 } order by certname }`,
    ],
    [
      'nodes --fact odd-name.x=say "a=b"',
      nodesForm({ fact: 'odd-name.x=say "a=b"' }),
      `${nodes} { inventory { facts."odd-name".x = "say \\"a=b\\"" } order by certname }`,
    ],
    ["nodes --state never", nodesForm({ state: "never" }), `${nodes} { report_timestamp is null order by certname }`],
    [
      "nodes --state silent where nodes are silent after 1 h",
      nodesForm({ state: "silent" }, 3_600_000),
      `${nodes} { report_timestamp < "2026-11-20T11:00:00.000Z" order by report_timestamp, certname }`,
    ],
    [
      "nodes --state any",
      nodesForm({ state: "any" }),
      `${nodes.slice(0, -1)}, deactivated, expired] { node_state = "any" order by certname }`,
    ],
    [
      "resources file --param mode=0777 --param force=true",
      resourcesForm({ resource: "file", parameters: ["mode=0777", "force=true"] }),
      'resources[certname, type, title, file, line, parameters] { type = "File" and parameters.mode = "0777" and (parameters.force = "true" or parameters.force = true) order by certname, title }',
    ],
    [
      "reports --sort duration",
      reportsForm({ sort: "duration", latest: true }),
      `${reports} { latest_report? = true order by end_time desc, certname }`,
    ],
    ["facts", factsForm({}), "facts[name, count()] { group by name }"],
    ["facts web-01", factsForm({ certname: "web-01" }), 'facts[name, value] { certname = "web-01" order by name }'],
    [
      "facts web-01 kernel",
      factsForm({ certname: "web-01", fact: "kernel" }),
      'facts[certname, value] { certname = "web-01" and name = "kernel" order by certname }',
    ],
    [
      "facts --name os.family",
      factsForm({ name: "os.family" }),
      "inventory[certname, facts.os.family] { facts.os.family is not null order by certname }",
    ],
    [
      "facts --name kernel --count",
      factsForm({ name: "kernel", count: true }),
      'facts[value, count()] { name = "kernel" group by value }',
    ],
    ["reports", reportsForm({}), `${reports} { ${newest} 20 }`],
    [
      "reports web-01 --status failed --since 1d --latest --limit 3",
      reportsForm({ certname: "web-01", status: "failed", since: "1d", latest: true, limit: "3" }),
      `${reports} { certname = "web-01" and status = "failed" and latest_report? = true and end_time >= "2026-11-19T12:00:00.000Z" ${newest} 3 }`,
    ],
    ["events", eventsForm({}), `${events} { latest_report? = true and status = "failure" ${inOrder} }`],
    [
      "events web-01",
      eventsForm({ of: "web-01" }),
      `${events} { certname = "web-01" and latest_report? = true ${inOrder} }`,
    ],
    ["events <hash>", eventsForm({ of: HASH }), `${events} { report = "${HASH}" ${inOrder} }`],
    [
      "events --resource File[/etc/motd] --since 2026-11-01T00:00:00Z",
      eventsForm({ resource: "File[/etc/motd]", since: "2026-11-01T00:00:00Z" }),
      `${events} { resource_type = "File" and resource_title = "/etc/motd" and timestamp >= "2026-11-01T00:00:00.000Z" ${inOrder} }`,
    ],
  ])("%s", (_what, form, pql) => {
    expect(pqlOf(form)).toBe(pql);
  });

  it.each<[form: () => unknown, message: string]>([
    [
      () => nodesForm({ silent: "soon" }),
      "--silent must be a timestamp such as 2026-11-20T12:00:00Z or a duration such as 90m",
    ],
    [() => nodesForm({ fact: "os.family" }), '--fact must be NAME=VALUE, e.g. os.family=Debian, not "os.family"'],
    [() => reportsForm({ limit: "0" }), '--limit must be a number above 0, not "0"'],
    [() => eventsForm({ resource: "[x]" }), '--resource must be Type or Type[title], e.g. Service[ntp], not "[x]"'],
    [() => resourcesForm({ resource: "file", parameters: ["mode"] }), "--param must be NAME=VALUE"],
    [() => resourcesForm({ parameters: ["mode=1"] }), "--param needs a type or a resource"],
    [() => factsForm({ count: true }), "facts: --count needs a fact"],
    [() => factsForm({ fact: "a", name: "b" }), "facts: the argument FACT and --name cannot be used together"],
  ])("rejects %o", (form, message) => {
    expect(form).toThrow(message);
  });
});

describe("the columns of a short form", () => {
  it("include the counts and the duration of a report", () => {
    const data = [
      { category: "resources", name: "failed", value: 2 },
      { category: "resources", name: "total", value: 120 },
      { category: "time", name: "changed", value: 9.5 },
    ];
    const row = {
      certname: "a",
      start_time: "2026-11-20T12:00:00.000Z",
      end_time: "2026-11-20T12:01:02.340Z",
      metrics: { data },
    };
    expect(reportsForm({}).shape?.(row)).toMatchObject({ seconds: 62.3, failed: 2, total: 120, changed: null });
    expect(reportsForm({}).shape?.({ metrics: null })).toMatchObject({ seconds: null, failed: null });
  });

  it("include the resource of an event and where that is declared", () => {
    const row = { resource_type: "File", resource_title: "/etc/motd", file: "/x.pp", line: 7, status: "failure" };
    expect(eventsForm({}).shape?.(row)).toMatchObject({ resource: "File[/etc/motd]", declared: "/x.pp:7" });
    expect(eventsForm({}).shape?.({ ...row, file: null, line: null })).toMatchObject({ declared: null });
  });
});

import { describe, expect, it } from "vitest";
import { type Json, parseJson } from "#storage/json.ts";
import { eventsOf, type ReportEvent } from "#storage/wire/events.ts";
import { event, read, report, reportResource } from "./payloads.ts";

/** reference/commands.md §4.3, reference/hashing.md §7 */

function events(...resources: Json[]): ReportEvent[] {
  return eventsOf(read("store report", 8, report({ resources })));
}

describe("events of a report", () => {
  it("carry their resource's place", () => {
    expect(events(reportResource())).toEqual([
      {
        status: "success",
        timestamp: 1_704_164_645_678_000n,
        property: "ensure",
        name: null,
        old_value: '"absent"',
        new_value: '"file"',
        message: "created",
        resource_type: "File",
        resource_title: "/tmp/x",
        file: "/site.pp",
        line: 3,
        containment_path: ["Stage[main]", "Main", "File[/tmp/x]"],
        containing_class: "Main",
        corrective_change: false,
      },
    ]);
  });

  it("of a skipped resource are one generated event at the resource's time", () => {
    expect(events(reportResource({ skipped: true, events: [event(), event({ property: "mode" })] }))).toMatchObject([
      {
        status: "skipped",
        timestamp: 1_704_164_645_000_000n,
        property: null,
        name: null,
        old_value: null,
        new_value: null,
        message: null,
      },
    ]);
  });

  it.each([[[]], [null]])("do not exist if none were sent: %j", (none) => {
    expect(events(reportResource({ events: none }))).toEqual([]);
  });

  it.each([
    [["Stage[main]", "Main", "Motd", "File[x]"], "Motd"],
    [["Stage[main]", "File[x]"], null],
    [["Stage[main]", "Motd", ""], "Motd"],
    [[], null],
    [null, null],
  ])("containing class of %j is %s", (containment_path, expected) => {
    expect(events(reportResource({ containment_path }))[0]?.containing_class).toBe(expected);
  });

  it.each([
    ["null", "null"],
    ['{"b":1.0,"a":[1e3]}', '{"a":[1000.0],"b":1.0}'],
    [String.raw`"a\u0000b"`, '"a\ufffdb"'],
    [String.raw`["a\u0000"]`, String.raw`["a\u0000"]`],
    ["12345678901234567890", "12345678901234567890"],
  ])("value %s is stored as %s", (json, expected) => {
    const value = parseJson(json);
    const [stored] = events(reportResource({ events: [event({ old_value: value, new_value: value })] }));
    expect(stored).toMatchObject({ old_value: expected, new_value: expected });
  });

  it("that are equal are stored once, the first of them", () => {
    const twice = events(
      reportResource({ containment_path: ["A"], events: [event(), event({ corrective_change: true })] }),
      reportResource({ containment_path: ["B"], events: [event({ timestamp: "2024-01-02T03:04:05.678999Z" })] }),
    );
    expect(twice.map(({ containing_class }) => containing_class)).toEqual(["A"]);
  });

  it.each([
    [{ status: "failure" }],
    [{ timestamp: "2024-01-02T03:04:05.679Z" }],
    [{ property: "mode" }],
    [{ property: null }],
    [{ message: null }],
    [{ old_value: null }],
    [{ new_value: ["file"] }],
    [{ name: "n" }],
  ])("that differ in %j are different events", (change) => {
    expect(events(reportResource({ events: [event(), event(change)] }))).toHaveLength(2);
  });
});

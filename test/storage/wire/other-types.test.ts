import { describe, expect, it } from "vitest";
import { type Json, type JsonObject, parseJson } from "#storage/json.ts";
import { eventsOf } from "#storage/wire/events.ts";
import { catalog, event, fileResource, log, read, refusal, report, reportResource, without } from "./payloads.ts";

/** Values of other types than the formats name, which PuppetDB stores (reference/commands.md §3.1, §3.3). */

const resourceOf = (changes: JsonObject) =>
  read("replace catalog", 9, catalog({ resources: [fileResource(changes)], edges: [] })).resources[0];

describe("a resource", () => {
  it.each<[sent: string, text: string]>([
    ["42", "42"],
    ["-7", "-7"],
    ["12345678901234567890", "12345678901234567890"],
    ["7.0", "7"],
    ["7.5", "7.5"],
    ["7.0000001", "7.0000001"],
    ["1e2", "100"],
    ["1e15", "1e+15"],
    ["0.00001", "1e-05"],
    ["1e400", "Infinity"],
    ["true", "true"],
    ["false", "false"],
  ])("with %s as its type, title or file", (sent, text) => {
    const value = parseJson(sent);
    expect(resourceOf({ type: value })).toMatchObject({ type: text, title: "/tmp/x" });
    expect(resourceOf({ title: value })).toMatchObject({ type: "File", title: text });
    expect(resourceOf({ file: value })).toMatchObject({ file: text });
  });

  it.each<[title: string, hash: string]>([
    ["42", "1e3c6c72f3d7a0add2fd39a226b8a83b59bf1ebc"],
    ["7.0", "4eb6a9caba277f026ad7587fa05d5e4279ea2c72"],
    ["true", "b8a5367970945c9dc3c7364925417898109bb9ef"],
  ])("with the title %s has the recorded hash", (title, hash) => {
    expect(resourceOf({ type: "Notify", title: parseJson(title), parameters: {} })?.hash).toBe(hash);
  });

  it.each<[sent: string, line: number]>([
    ["7.0", 7],
    ["7.5", 8],
    ["6.5", 6],
    ["-7.5", -8],
    ["7.0000001", 7],
    ["1e2", 100],
  ])("in line %s", (sent, line) => {
    expect(resourceOf({ line: parseJson(sent) })).toMatchObject({ line });
  });

  it.each<[JsonObject, stored: JsonObject]>([
    [{ tags: {} }, { tags: [] }],
    [{ tags: "" }, { tags: [] }],
    [{ parameters: [] }, { parameters: {}, parameterTexts: [] }],
    [{ parameters: "" }, { parameters: {}, parameterTexts: [] }],
  ])("with %j", (changes, stored) => {
    expect(resourceOf(changes)).toMatchObject(stored);
  });

  it("is the same one as with its title as a text", () => {
    const resources = [fileResource({ title: 42 }), fileResource({ title: "42" })];
    expect(refusal("replace catalog", 9, catalog({ resources, edges: [] }))).toMatch(/"File\[42\]" occurs twice/);
    const edges = [
      { source: { type: "File", title: 42 }, target: { type: "File", title: "42" }, relationship: "before" },
    ];
    expect(read("replace catalog", 9, catalog({ resources: [fileResource({ title: 42 })], edges })).edges).toEqual([
      { source: { type: "File", title: "42" }, target: { type: "File", title: "42" }, relationship: "before" },
    ]);
  });
});

it("a catalog has no edges where an empty object is in their place", () => {
  expect(read("replace catalog", 9, catalog({ edges: {} })).edges).toEqual([]);
});

/** A resource of a report before version 8. */
function withEvents(events: Json): JsonObject {
  return { ...without(reportResource(), "corrective_change"), events };
}

describe("an older report has nothing where an empty object or text is in place of a list", () => {
  const newer = ["noop_pending", "corrective_change", "producer", "job_id"];
  const old = (version: number, changes: JsonObject): JsonObject => {
    const payload = without(
      report(),
      ...newer,
      ...(version < 7 ? ["catalog_uuid", "cached_catalog_status", "code_id"] : []),
    );
    return { ...(version < 6 ? without(payload, "resources") : payload), ...changes };
  };
  it.each<[Json]>([[{}], [""], [[]]])("%j", (nothing) => {
    for (const version of [6, 7]) {
      expect(read("store report", version, old(version, { resources: nothing })).resources).toEqual([]);
      const [resource] = read("store report", version, old(version, { resources: [withEvents(nothing)] })).resources;
      expect(resource?.events).toEqual([]);
    }
    const oldest = read("store report", 5, old(5, { resource_events: nothing }));
    expect([oldest.resources, oldest.resources_as_sent]).toEqual([[], []]);
  });

  it.each<[Json]>([[{}], [""]])("but not %j in the newest version", (nothing) => {
    expect(refusal("store report", 8, report({ resources: nothing }))).toMatch(/resources: expected a list/);
  });
});

it("what a report prints may have U+0000", () => {
  const read8 = read(
    "store report",
    8,
    report({
      configuration_version: "1\0",
      logs: [log({ message: "m\0" })],
      resources: [
        reportResource({
          resource_title: "t\0",
          containment_path: ["Stage[main]", "C\0"],
          events: [event({ message: "m\0", property: "p\0", name: "n\0", old_value: "o\0" })],
        }),
      ],
    }),
  );
  expect(read8.configuration_version).toBe("1\ufffd");
  expect(read8.logs).toMatchObject([{ message: "m\ufffd" }]);
  expect(eventsOf(read8)).toMatchObject([
    {
      message: "m\ufffd",
      property: "p\ufffd",
      name: "n\ufffd",
      old_value: '"o\ufffd"',
      resource_title: "t\ufffd",
      containment_path: ["Stage[main]", "C\ufffd"],
      containing_class: "C\ufffd",
    },
  ]);
});

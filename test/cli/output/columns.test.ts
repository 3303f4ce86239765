import { describe, expect, it } from "vitest";
import { columnOf, columns } from "#cli/output/columns.ts";
import { eventsForm } from "#cli/short-forms/events.ts";
import { reportsForm } from "#cli/short-forms/reports.ts";
import { entities } from "#storage/query/entities/index.ts";

it("every field of every entity and short form has a column", () => {
  const fields = new Set(Object.values(entities).flatMap((entity) => Object.keys(entity.fields)));
  const shaped = [eventsForm({}), reportsForm({})].flatMap(({ shape }) =>
    Object.keys(shape?.({ metrics: null }) ?? {}),
  );
  expect([...fields, ...shaped].filter((name) => !Object.hasOwn(columns, name))).toStrictEqual([]);
});

it("every time among the fields is a time", () => {
  const times = Object.values(entities).flatMap((entity) =>
    Object.entries(entity.fields).flatMap(([name, { type }]) => (type === "timestamp" ? [name] : [])),
  );
  expect(times.filter((name) => columns[name]?.kind !== "time")).toStrictEqual([]);
});

describe("the kind of an unknown field follows from its values", () => {
  it.each<[values: Parameters<typeof columnOf>[1], kind: string]>([
    [[1, null, 2.5], "number"],
    [["2026-11-20T11:42:19.385Z", null, "2026-11-20 11:42:19Z"], "time"],
    [["2026-11-20T11:42:19.385Z", "yesterday"], "text"],
    [["bd3d8a11a57776ccb054e495b871d373fd314f16"], "hash"],
    [["bd3d8a11"], "text"],
    [[{}, []], "text"],
    [[null, ""], "text"],
    [[], "text"],
  ])("%j: %s", (values, kind) => {
    expect(columnOf("no such field", values)).toMatchObject({ kind, importance: "useful" });
    expect(columnOf("constructor", values).kind).toBe(kind);
  });

  it("but a fact that looks like a hash is shown in full", () => {
    expect(columnOf("value", ["bd3d8a11a57776ccb054e495b871d373fd314f16"])).toStrictEqual(columns["value"]);
  });

  it("and `resource` is a hash in one entity and a name in another", () => {
    expect(columnOf("resource", ["bd3d8a11a57776ccb054e495b871d373fd314f16"]).kind).toBe("hash");
    expect(columnOf("resource", ["File[/etc/motd]"]).kind).toBe("resource");
  });
});

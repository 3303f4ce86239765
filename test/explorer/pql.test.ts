import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { and, escapePattern, field, inEnvironment, literal, or, query, quote } from "#app/explorer/pages/pql/text.ts";
import { isField } from "#storage/query/pql/field-text.ts";
import { parsePql } from "#storage/query/pql/parse.ts";

const anyText = fc.string({ unit: "binary" }).filter((text) => text.isWellFormed());

describe("PQL that pages write", () => {
  it("is read as the text that was meant", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(parsePql(query("nodes", { where: `certname = ${quote(text)}` }))).toStrictEqual([
          "from",
          "nodes",
          ["=", "certname", text],
        ]);
      }),
    );
  });

  it("names every part of a path", () => {
    expect(field(["facts", "mountpoints", "/", "size_bytes"])).toBe('facts.mountpoints."/".size_bytes');
    expect(field(["facts", "os"])).toBe("facts.os");
    expect(parsePql(`inventory[${field(["facts", "a.b", "c d", "x-y"])}]{}`)).toStrictEqual([
      "from",
      "inventory",
      ["extract", ['facts."a.b"."c d".x-y']],
    ]);
  });

  it.each([["certname"], ["latest_report?"], ["facts", "a.b", "c d", "0", "x-y", 'say "so"', "größe"]])(
    "recognises a field that it wrote: %s",
    (...parts) => {
      expect(isField(field(parts))).toBe(true);
      expect(isField(`${field(parts)} desc`)).toBe(false);
    },
  );

  it("keeps conditions together", () => {
    const one = 'status = "failed"';
    const either = or('certname = "a or b"', "noop = true") ?? "";
    expect(and(one, undefined, "", either)).toBe('status = "failed" and (certname = "a or b" or noop = true)');
    expect(and(one, 'certname = "this and that"')).toBe('status = "failed" and certname = "this and that"');
    expect(and(undefined)).toBeUndefined();
  });

  it("has all clauses in their order", () => {
    const where = and(inEnvironment("reports", "production"), `producer_timestamp > ${literal(new Date(0))}`);
    const condition = [
      "and",
      ["=", "environment", "production"],
      [">", "producer_timestamp", "1970-01-01T00:00:00.000Z"],
    ];
    expect(
      parsePql(query("reports", { select: ["hash"], where, orderBy: ["end_time desc", "hash"], limit: 5, offset: 10 })),
    ).toStrictEqual([
      "from",
      "reports",
      ["extract", ["hash"], condition],
      ["order_by", [["end_time", "desc"], "hash"]],
      ["limit", 5],
      ["offset", 10],
    ]);
    expect(parsePql(query("reports", { select: ["status", "count()"], where, groupBy: ["status"] }))).toStrictEqual([
      "from",
      "reports",
      ["extract", ["status", ["function", "count"]], condition, ["group_by", "status"]],
    ]);
  });

  it("escapes a text in a regular expression", () => {
    fc.assert(
      fc.property(anyText, anyText, (text, other) => {
        const pattern = new RegExp(`^${escapePattern(text)}$`);
        expect(pattern.test(text)).toBe(true);
        expect(pattern.test(other)).toBe(text === other);
      }),
    );
  });

  it("finds the environment of a node in its report, else its catalog, else its facts", () => {
    expect(parsePql(query("nodes", { where: inEnvironment("nodes", "production") }))).toStrictEqual([
      "from",
      "nodes",
      [
        "or",
        ["=", "report_environment", "production"],
        [
          "and",
          ["null?", "report_environment", true],
          [
            "or",
            ["=", "catalog_environment", "production"],
            ["and", ["null?", "catalog_environment", true], ["=", "facts_environment", "production"]],
          ],
        ],
      ],
    ]);
    expect(inEnvironment("nodes", undefined)).toBeUndefined();
  });
});

import { describe, expect, it } from "vitest";
import { BoundsError, boundsWithin, type CommandBounds, defaultBounds } from "#storage/wire/bounds.ts";
import type { CommandName } from "#storage/wire/commands.ts";
import { Scan } from "#storage/wire/scan.ts";

const of = (command: CommandName) => ({ command, version: 5, certname: "web-01" });

/** The result of checking a payload, which must not depend on the pieces in which it arrives. */
function found(payload: unknown, changes: Partial<CommandBounds>, command: CommandName = "replace facts"): string {
  const bytes = Buffer.from(typeof payload === "string" ? payload : JSON.stringify(payload));
  const inPieces = (size: number): string => {
    const scan = new Scan(of(command), { ...defaultBounds, ...changes });
    try {
      for (let at = 0; at < bytes.length; at += size) scan.add(bytes.subarray(at, at + size));
      return "";
    } catch (error) {
      if (error instanceof BoundsError) return error.message.replace(/^.*?web-01: /, "");
      throw error;
    }
  };
  const whole = inPieces(bytes.length);
  // A name that is cut in two is left out of the message, and nothing else differs.
  for (const size of [1, 2, 3, 7]) expect(inPieces(size) === "", `in pieces of ${size}`).toBe(whole === "");
  return whole;
}

const escaped = String.raw`a\"b\\`;

describe("the check of a payload's bounds", () => {
  it.each<[what: string, payload: unknown, bounds: Partial<CommandBounds>]>([
    ["as many values as there may be", { values: { list: [1, 2, 3] } }, { factsetValues: 6 }],
    ["as many levels as there may be", { values: { a: { b: [] } } }, { depth: 4 }],
    ["brackets and commas in texts", { values: { text: `[[[,,,{{{${escaped}` } }, { factsetValues: 3, depth: 2 }],
    ["a part that just fits", { values: { big: "x".repeat(98) } }, { partBytes: 100 }],
    [
      "many small parts",
      { values: Object.fromEntries(Array.from({ length: 99 }, (_, n) => [n, n])) },
      { partBytes: 20 },
    ],
    ["bytes that are no JSON", '}]]],,:"', { depth: 10 }],
    ["a text that may be a catalog's JSON", JSON.stringify("x".repeat(500)), { partBytes: 100 }],
  ])("passes %s", (_what, payload, bounds) => {
    expect(found(payload, bounds)).toBe("");
  });

  it.each<[bounds: Partial<CommandBounds>, payload: unknown, message: string]>([
    [{ factsetValues: 5 }, { values: { list: [1, 2, 3] } }, "the payload has more than 5 values (max-factset-values)"],
    [{ depth: 3 }, { values: { a: [[]] } }, "values.a is nested deeper than 3 levels (max-command-depth)"],
    [
      { partBytes: 99 },
      { values: { small: 1, big: "x".repeat(98) } },
      "values.big is larger than 99 bytes (max-command-part-size)",
    ],
    [
      { partBytes: 99 },
      { values: { big: [["x".repeat(50)], ["x".repeat(50)]] } },
      "values.big is larger than 99 bytes (max-command-part-size)",
    ],
    [
      { partBytes: 99 },
      { logs: [{}, { message: "x".repeat(98) }] },
      "logs[1] is larger than 99 bytes (max-command-part-size)",
    ],
    [{ partBytes: 99 }, { code_id: "x".repeat(98) }, "code_id is larger than 99 bytes (max-command-part-size)"],
    [
      { partBytes: 99 },
      { values: { "a b": "x".repeat(98) } },
      'values."a b" is larger than 99 bytes (max-command-part-size)',
    ],
    [
      { unpackedBytes: 99 },
      { values: { big: "x".repeat(98) } },
      "the payload is larger than 99 bytes (max-command-unpacked-size)",
    ],
  ])("reports with %o what exceeds them", (bounds, payload, message) => {
    expect(found(payload, bounds)).toBe(message);
  });

  it("has a bound of its own for values of other commands", () => {
    const bounds = { factsetValues: 3, values: 5 };
    expect(found({ logs: [1, 2, 3] }, bounds, "store report")).toBe("");
    expect(found({ logs: [1, 2, 3, 4] }, bounds, "store report")).toBe(
      "the payload has more than 5 values (max-command-values)",
    );
  });

  it("allows no more than memory does", () => {
    const MB = 1024 * 1024;
    expect(boundsWithin({ depth: 7 }, { largestCommand: 512 * MB, largestReport: 400 * MB })).toEqual({
      ...defaultBounds,
      depth: 7,
    });
    expect(boundsWithin({}, { largestCommand: 16 * MB, largestReport: 12 * MB })).toEqual({
      ...defaultBounds,
      unpackedBytes: 16 * MB,
      reportBytes: 12 * MB,
      values: 524_288,
      factsetValues: 65_536,
    });
  });

  it("allows less for a report than for other commands", () => {
    const bounds = { unpackedBytes: 200, reportBytes: 99 };
    const payload = { values: { text: "x".repeat(100) } };
    expect(found(payload, bounds, "store report")).toBe(
      "the payload is larger than 99 bytes (max-command-unpacked-size)",
    );
    expect(found(payload, bounds, "replace catalog")).toBe("");
  });
});

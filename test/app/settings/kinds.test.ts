import { describe, expect, it } from "vitest";
import { duration, milliseconds, minutes, seconds } from "#app/settings/kinds/durations.ts";
import type { Kind } from "#app/settings/kinds/kind.ts";
import { bytes, count, logAddress, host, list, oneOf, path, port, truth } from "#app/settings/kinds/simple.ts";

const SECOND = 1_000_000n;
const level = oneOf("warn", "info");

describe("a value is read and written", () => {
  it.each<[Kind<unknown>, string | string[], unknown, string]>([
    [duration, "14d", 14n * 86_400n * SECOND, "14d"],
    [duration, "48h", 48n * 3600n * SECOND, "2d"],
    [duration, "90m", 90n * 60n * SECOND, "90m"],
    [duration, "30s", 30n * SECOND, "30s"],
    [duration, "500ms", 500_000n, "500ms"],
    [duration, "0d", 0n, "0s"],
    [minutes, "60", 3_600_000, "60"],
    [minutes, "0.5", 30_000, "0.5"],
    [minutes, "0.000001", 1, "0.000016666666666666667"],
    [minutes, "0", 0, "0"],
    [seconds, "600", 600_000, "600"],
    [seconds, ".25", 250, "0.25"],
    [milliseconds, "30000", 30_000, "30000"],
    [bytes, "33554432", 33_554_432, "33554432"],
    [count(0), "0", 0, "0"],
    [count(1), "4", 4, "4"],
    [port, "0", 0, "0"],
    [port, "65535", 65_535, "65535"],
    [truth, "TRUE", true, "true"],
    [truth, "false", false, "false"],
    [host, "::1", "::1", "::1"],
    [path, "certs/a.pem", "/base/certs/a.pem", "/base/certs/a.pem"],
    [path, "/certs/a.pem", "/certs/a.pem", "/certs/a.pem"],
    [level, "Warn", "warn", "warn"],
    [logAddress, "postgresql://u@db/log", "postgresql://u@db/log", "postgresql://u@db/log"],
    [logAddress, "postgresql://u:secret@db/log", "postgresql://u:secret@db/log", "postgresql://u:…@db/log"],
    [list, " a, b,,c ", ["a", "b", "c"], "a, b, c"],
    [list, ["a,b", "c"], ["a,b", "c"], "a,b, c"],
    [list, "", [], ""],
  ])("%o: %j", (kind, text, value, written) => {
    expect(kind.read(text, "/base")).toStrictEqual(value);
    expect(kind.print(value)).toBe(written);
  });
});

describe("an invalid value is rejected", () => {
  it.each<[Kind<unknown>, string | string[]]>([
    // A bare number: PuppetDB's ini files reject it, and 14 for fourteen days must not become minutes.
    [duration, "14"],
    [duration, "1.5d"],
    [duration, "-1d"],
    [duration, "14 d"],
    [duration, "2w"],
    [duration, "365001d"],
    [duration, ""],
    [minutes, "-1"],
    [minutes, "1e3"],
    [minutes, "60m"],
    [milliseconds, "0.5"],
    [bytes, "0"],
    [bytes, "20MB"],
    [count(1), "0"],
    [count(0), "-1"],
    [port, "65536"],
    [port, "http"],
    [truth, "yes"],
    [host, "a b"],
    [path, ""],
    [level, "trace"],
    [port, ["1"]],
  ])("%o: %j", (kind, text) => {
    expect(kind.read(text, "/base")).toBeUndefined();
  });
});

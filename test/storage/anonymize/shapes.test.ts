import { describe, expect, it } from "vitest";
import type { TextKind } from "#storage/anonymize/kinds.ts";
import { Pseudonyms } from "#storage/anonymize/pseudonyms.ts";
import { exactNumber, isExactNumber, isNumber, numberText } from "#storage/json.ts";
import { isInteger } from "#storage/hash/canonical.ts";
import { normalizeUuid } from "#storage/wire/uuid.ts";
import { SALT } from "./site.ts";

const pseudonyms = new Pseudonyms(SALT);

// reference/archive.md §5.1
describe("a replacement has the shape of its kind", () => {
  it.each<[TextKind, string, RegExp]>([
    ["node", "web-01.example.com", /^[a-z]{10}\.[a-z]{15}\.[a-z]{3}$/],
    ["node", "", /^[a-z]{10}\.[a-z]{15}\.[a-z]{3}$/],
    ["type", "Apache::Vhost", /^[A-Z][a-z]{9}$/],
    ["title", "x", /^[A-Za-z]{10}$/],
    ["title", "/etc/a/very/long/path.conf", /^[A-Za-z]{26}$/],
    ["title", "é".repeat(200), /^[A-Za-z]{200}$/],
    ["message", "", /^[A-Za-z]{10}$/],
    ["environment", "production", /^[A-Za-z]{10}$/],
    ["fact-name", "networking", /^[A-Za-z]{10}$/],
    ["fact-value", "10.0.0.1", /^[A-Za-z]{10}$/],
    ["version", "production-17", /^[A-Za-z]{13}$/],
    ["parameter-name", "ensure", /^[a-z]{10}$/],
    ["parameter-value", "present", /^[A-Za-z]{10}$/],
    ["catalog-input-type", "hiera", /^[a-z]{10}$/],
    ["catalog-input-value", "ntp::servers", /^[a-z]{12}$/],
    ["text", "Applied catalog", /^\?{15}$/],
    ["text", "", /^$/],
    ["file", "/site.pp", /^\/etc\/puppet\/modules\/[a-z]{10}\/manifests\/[a-z]{10}\.pp$/],
  ])("%s %j", (kind, text, shape) => {
    expect(pseudonyms.text(kind, text)).toMatch(shape);
  });

  it("a UUID is replaced by a UUID", () => {
    const uuid = pseudonyms.text("uuid", "5d5f20e7-4771-4528-8102-5c3edb66c946");
    expect(normalizeUuid(uuid)).toBe(uuid);
    expect(uuid).not.toBe("5d5f20e7-4771-4528-8102-5c3edb66c946");
  });

  it.each([
    ["0", 20],
    ["7", 20],
    ["-5", 20],
    ["-0", 20],
    ["4711", 4711],
    ["2147483648", 2_147_483_648],
    ["9007199254740993", 2 ** 53],
    ["123456789012345678901234567890", 1.3e29],
    ["-123456789012345678901234567890", 20],
  ])("the integer %s becomes an integer from 0 to below %d", (text, limit) => {
    const replacement = pseudonyms.number("parameter-value", exactNumber(text));
    expect(isInteger(replacement)).toBe(true);
    expect(BigInt(numberText(replacement))).toBeGreaterThanOrEqual(0n);
    expect(Number(numberText(replacement))).toBeLessThan(limit);
  });

  it.each([
    ["0.25", 1],
    ["1.0", 1],
    ["-12.5", 1],
    ["-0.0", 1],
    ["1.5e-7", 1],
    ["99.5", 99.5],
    ["6.02e23", 6.02e23],
    ["1e10", 1e10],
    ["1e400", Number.POSITIVE_INFINITY],
  ])("the float %s becomes a float from 0 to below %d", (text, limit) => {
    const replacement = pseudonyms.number("parameter-value", exactNumber(text));
    expect(isNumber(replacement) || isExactNumber(replacement)).toBe(true);
    expect(isInteger(replacement)).toBe(false);
    expect(Number(numberText(replacement))).toBeGreaterThanOrEqual(0);
    expect(Number(numberText(replacement))).toBeLessThan(limit);
  });
});

describe("replacements", () => {
  const other = new Pseudonyms(Buffer.alloc(32, "another salt"));
  const kinds = ["node", "type", "title", "fact-name", "parameter-name", "file", "environment", "uuid"] as const;

  it.each(kinds)("of 100000 different texts of kind %s are different", (kind) => {
    const texts = Array.from({ length: 100_000 }, (_, number) => `web-${number}.example.com`);
    expect(new Set(texts.map((text) => pseudonyms.text(kind, text))).size).toBe(texts.length);
  });

  it("depend only on the salt, the kind and the value", () => {
    expect(new Pseudonyms(SALT).text("title", "ntp")).toBe(pseudonyms.text("title", "ntp"));
    expect(other.text("title", "ntp")).not.toBe(pseudonyms.text("title", "ntp"));
    expect(pseudonyms.text("message", "ntp")).not.toBe(pseudonyms.text("title", "ntp"));
  });

  it("are the same after they were dropped from memory", () => {
    const first = pseudonyms.text("title", "the first");
    for (let number = 0; number < 100_000; number++) pseudonyms.text("title", `later ${number}`);
    expect(pseudonyms.text("title", "the first")).toBe(first);
  });
});

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { isOlder } from "#storage/package-versions/older.ts";
import { orderKey, type VersionOrder, versionKey, versionOrder } from "#storage/package-versions/version-key.ts";

/** Groups of equal versions, the lowest first, as the tools order them ({@link file://./record.ts}). */
const recorded = JSON.parse(readFileSync(join(import.meta.dirname, "recorded.json"), "utf8")) as Readonly<
  Record<VersionOrder, readonly (readonly string[])[]>
>;
const orders = Object.keys(recorded) as VersionOrder[];

describe("the keys of versions", () => {
  it.each(orders)("order every two versions as %s does", (order) => {
    const keys = recorded[order].flatMap((group, rank) =>
      group.map((version) => ({ version, rank, key: Buffer.from(orderKey(order, version)) })),
    );
    expect(keys.length).toBeGreaterThan(40);
    const wrong = keys.flatMap((a) =>
      keys
        .filter((b) => Math.sign(a.rank - b.rank) !== Buffer.compare(a.key, b.key))
        .map((b) => `${a.version} and ${b.version}`),
    );
    expect(wrong).toStrictEqual([]);
  });

  it("follow the precedence list of Semantic Versioning 2.0.0, section 11", () => {
    const list = ["1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-alpha.beta", "1.0.0-beta", "1.0.0-beta.2", "1.0.0-beta.11"];
    const ascending = [...list, "1.0.0-rc.1", "1.0.0", "2.0.0", "2.1.0", "2.1.1"].map((version) =>
      orderKey("semver", version),
    );
    expect(ascending).toStrictEqual(ascending.toSorted());
    expect(new Set(ascending).size).toBe(ascending.length);
  });

  it("follow rpm's own tests", () => {
    // Facts of rpm's tests/rpmvercmp.at.
    const facts: [string, string, -1 | 0 | 1][] = [
      ["2.0.1a", "2.0.1", 1],
      ["5.5p1", "5.5p10", -1],
      ["10xyz", "10.1xyz", -1],
      ["xyz.4", "8", -1],
      ["6.0.rc1", "6.0", 1],
      ["10b2", "10a1", 1],
      ["10.0001", "10.1", 0],
      ["a+", "a_", 0],
      ["+", "_", 0],
      ["1.0~rc1~git123", "1.0~rc1", -1],
    ];
    const signs = facts.map(([a, b]) => Buffer.from(orderKey("rpm", a)).compare(Buffer.from(orderKey("rpm", b))));
    expect(signs).toStrictEqual(facts.map(([, , sign]) => sign));
  });

  it("put texts that are not versions before all versions", () => {
    const sorted = ["(none)", "10 beta", "9 beta", "1.0.0-rc.1", "1.0.0"].toSorted((a, b) =>
      orderKey("semver", a) < orderKey("semver", b) ? -1 : 1,
    );
    expect(sorted).toStrictEqual(["9 beta", "10 beta", "(none)", "1.0.0-rc.1", "1.0.0"]);
    expect(orderKey("gem", "")).toBe(orderKey("gem", "0"));
  });

  it("are ASCII, so that every engine sorts them alike", () => {
    const versions = ["1.\u{ff21}", "1.\u{1f600}"];
    const keys = versions.map((version) => versionKey(version, "apt"));
    expect(keys.join("")).toMatch(/^[\0-\x7f]*$/);
    expect(keys).toStrictEqual(keys.toSorted());
  });
});

describe("the order of a provider", () => {
  it.each([
    ["apt", "dpkg"],
    ["yum", "rpm"],
    ["zypper", "rpm"],
    ["puppet_gem", "gem"],
    ["pip3", "pep440"],
    ["npm", "semver"],
    ["windows", "dpkg"],
    ["constructor", "dpkg"],
  ])("%s is that of %s", (provider, order) => {
    expect(versionOrder(provider)).toBe(order);
  });
});

describe("a version in a filter", () => {
  it.each<[version: string, than: string, provider: string, expected: boolean]>([
    ["1:1.1.1k-14.el8", "3.0.8", "dnf", true],
    ["1:3.2.2-6.el9", "3.0.8", "dnf", false],
    ["3.0.8-1", "3.0.8", "apt", false],
    ["3.0.8~rc1-1", "3.0.8", "apt", true],
    ["1:0.9", "1:1.0", "apt", true],
    ["2.0", "1:1.0", "apt", true],
    ["1!0.5", "1.0", "pip", true],
    ["1.0.rc1", "1.0", "gem", true],
  ])("%s is older than %s by %s: %s", (version, than, provider, expected) => {
    expect(isOlder(version, than, provider)).toBe(expected);
  });
});

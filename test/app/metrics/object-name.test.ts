import { describe, expect, it } from "vitest";
import { canonicalName, isPattern, nameMatcher, parseObjectName, propertyList } from "#app/metrics/object-name.ts";

describe("an MBean's name", () => {
  it.each([
    ["java.lang:type=Memory", "java.lang:type=Memory", false],
    ["java.lang:type=GarbageCollector,name=x", "java.lang:name=x,type=GarbageCollector", false],
    ["a:name=replace facts.5.seen", "a:name=replace facts.5.seen", false],
    ["a:name=/pdb/cmd/v1.service-time", "a:name=/pdb/cmd/v1.service-time", false],
    ['a:name="x,y",b=1', 'a:b=1,name="x,y"', false],
    ["java.lang:*", "java.lang:*", true],
    ["java.lang:type=Memory,*", "java.lang:type=Memory,*", true],
    ["*:type=Memory", "*:type=Memory", true],
    ["a:name=x*", "a:name=x*", true],
    // As the documents write pools.
    ["svc.database:PDBReadPool.pool.Usage", "svc.database:name=PDBReadPool.pool.Usage", false],
  ])("%s is parsed as %s", (text, canonical, pattern) => {
    const name = parseObjectName(text);
    expect(canonicalName(name)).toBe(canonical);
    expect(isPattern(name)).toBe(pattern);
  });

  it("keeps its written order on request", () => {
    expect(propertyList(parseObjectName("a:type=x,name=y"), false)).toBe("type=x,name=y");
  });

  it.each([
    ["nothing", "Domain part must be specified"],
    ["java.lang:", "Key properties cannot be empty"],
    ["java.lang:=x", "Key properties cannot be empty"],
    ["java.lang:a=1,", "Key properties cannot be empty"],
    ["java.lang:a=1,a=2", "key `a' already defined"],
  ])("%s is invalid", (text, message) => expect(() => parseObjectName(text)).toThrow(message));
});

describe("a pattern", () => {
  it.each([
    ["java.lang:*", "java.lang:type=Memory", true],
    ["java.lang:*", "java.lang.x:type=Memory", false],
    ["java.*:*", "java.lang:type=Memory", true],
    ["java.lang:type=*", "java.lang:type=Memory", true],
    ["java.lang:type=*", "java.lang:type=GarbageCollector,name=x", false],
    ["java.lang:type=*,*", "java.lang:type=GarbageCollector,name=x", true],
    ["java.lang:name=*,type=GarbageCollector", "java.lang:type=GarbageCollector,name=x", true],
    ["a:name=global.*", "a:name=global.seen", true],
    ["a:name=global.*", "a:name=globalseen", false],
    ["a:name=*time*", "a:name=processing-time", true],
    ["a:name=s??n", "a:name=seen", true],
    ["a:name=s?n", "a:name=seen", false],
  ])("%s and %s: %s", (pattern, name, expected) => {
    expect(nameMatcher(parseObjectName(pattern))(parseObjectName(name))).toBe(expected);
  });

  it("of many wildcards is matched without trying each of their combinations", () => {
    const matches = nameMatcher(parseObjectName(`a:name=${"*a".repeat(5000)}b`));
    expect(matches(parseObjectName(`a:name=${"a".repeat(20_000)}`))).toBe(false);
  });
});

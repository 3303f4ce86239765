import { describe, expect, it } from "vitest";
import { cachedFor } from "#storage/metrics/gauge.ts";
import { Registry } from "#storage/metrics/registry.ts";
import { hand } from "./hand.ts";

describe("the registry", () => {
  it("creates an instrument when it is first named, and returns the same one afterwards", () => {
    const registry = new Registry(hand().ticks);
    expect(registry.find("mq", "global.seen")).toBeUndefined();
    const meter = registry.get("mq", "global.seen", "meter");
    meter.mark(2);
    expect(registry.get("mq", "global.seen", "meter")).toBe(meter);
    expect([...registry]).toEqual([{ group: "mq", name: "global.seen", instrument: meter }]);
  });

  it("creates a family from its table", () => {
    const registry = new Registry(hand().ticks);
    const family = registry.family("storage", { "gc-time": "timer", "new-catalogs": "counter" }, "x.");
    family["new-catalogs"].add(3);
    family["gc-time"].update(5);
    expect(registry.find("storage", "x.new-catalogs")).toMatchObject({ kind: "counter", count: 3 });
    expect(registry.find("storage", "x.gc-time")).toMatchObject({ kind: "timer", count: 1 });
  });

  it("rejects a second kind of instrument under the same name", () => {
    const registry = new Registry(hand().ticks);
    registry.get("mq", "a", "meter");
    expect(() => registry.get("mq", "a", "timer")).toThrow("mq a is a meter");
  });

  it("reads observed counters and gauges each time", () => {
    const registry = new Registry(hand().ticks);
    let depth = 4;
    registry.observe("mq", "global.depth", () => depth);
    registry.gauge("admin", "cleaning", () => `${depth}`);
    depth = 5;
    expect(registry.find("mq", "global.depth")).toMatchObject({ count: 5 });
    const gauge = registry.find("admin", "cleaning");
    expect(gauge?.kind === "gauge" && gauge.read()).toBe("5");
  });
});

describe("a costly value", () => {
  it("is kept for a time, a failure is not", async () => {
    const { ticks, advance } = hand();
    const answers: (() => Promise<number>)[] = [
      () => Promise.resolve(1),
      () => Promise.reject(new Error("no")),
      () => Promise.resolve(3),
    ];
    const read = cachedFor(1000, ticks, async () => (answers.shift() ?? (() => Promise.resolve(0)))());
    expect([await read(), await read()]).toEqual([1, 1]);
    advance(1000);
    await expect(read()).rejects.toThrow("no");
    expect(await read()).toBe(3);
  });
});

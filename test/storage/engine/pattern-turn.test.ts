import { setTimeout as delay } from "node:timers/promises";
import { expect, it } from "vitest";
import { patternTurn } from "#storage/engine/pattern-run.ts";

it("reads rows with patterns for one statement after another, in order", async () => {
  const events: string[] = [];
  const work = async (name: string): Promise<void> => {
    using _turn = await patternTurn();
    events.push(`${name} begins`);
    await delay(20);
    events.push(`${name} ends`);
  };
  await Promise.all(["first", "second", "third"].map(work));
  expect(events).toEqual(["first", "second", "third"].flatMap((name) => [`${name} begins`, `${name} ends`]));
});

it("does not wait for long for a client that does not read", async () => {
  using _held = await patternTurn();
  const began = performance.now();
  {
    using _next = await patternTurn();
    expect(performance.now() - began).toBeGreaterThan(400);
  }
  // The one after it waits for that one only.
  const again = performance.now();
  using _last = await patternTurn();
  expect(performance.now() - again).toBeLessThan(400);
});

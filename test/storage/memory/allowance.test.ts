import { expect, test } from "vitest";
import { Allowance } from "#storage/memory/allowance.ts";

const LONG = 60_000;

test("what is there is taken at once, and what is given back goes to who waits first", async () => {
  const places = new Allowance(3, "Too many");
  expect(places.tryTake(2)).toBe(true);
  expect(places.tryTake(2)).toBe(false);
  const order: string[] = [];
  const large = places.take(3, LONG).then(() => order.push("large"));
  const small = places.take(1, LONG).then(() => order.push("small"));
  // One is left, but somebody waits for more.
  expect(places.tryTake(1)).toBe(false);
  places.giveBack(2);
  await large;
  expect(places.waiting).toBe(1);
  places.giveBack(3);
  await small;
  expect(order).toEqual(["large", "small"]);
  expect(places.used).toBe(1);
});

test("what is left can be taken before those who wait", async () => {
  const bytes = new Allowance(10, "Too many");
  await bytes.take(4, LONG);
  const waiting = bytes.take(8, LONG);
  expect(bytes.takeUpTo(100)).toBe(6);
  expect(bytes.takeUpTo(100)).toBe(0);
  bytes.giveBack(10);
  await waiting;
  expect(bytes.used).toBe(8);
});

test("more than there can be counts as all of it", async () => {
  const bytes = new Allowance(10, "Too many");
  await bytes.take(1000, LONG);
  expect(bytes.used).toBe(10);
  bytes.giveBack(1000);
  expect(bytes.used).toBe(0);
});

test("who waits for too long, or leaves, makes way for those behind", async () => {
  const bytes = new Allowance(10, "Too many large requests");
  await bytes.take(4, LONG);
  const leaver = new AbortController();
  const left = bytes.take(10, LONG, leaver.signal);
  const next = bytes.take(6, LONG);
  leaver.abort(new Error("gone"));
  await expect(left).rejects.toThrow("gone");
  await next;
  await expect(bytes.take(1, 1)).rejects.toMatchObject({
    code: "unavailable",
    message: "Too many large requests; try again later",
  });
  expect(bytes.used).toBe(10);
});

import { expect, test } from "vitest";
import { Allowance } from "#storage/memory/allowance.ts";

const LONG = 60_000;

test("free units are granted at once, and released ones to the first that waits", async () => {
  const places = new Allowance(3, "Too many");
  expect(places.tryAcquire(2)).toBe(true);
  expect(places.tryAcquire(2)).toBe(false);
  const order: string[] = [];
  const large = places.acquire(3, LONG).then(() => order.push("large"));
  const small = places.acquire(1, LONG).then(() => order.push("small"));
  // One is left, but somebody waits for more.
  expect(places.tryAcquire(1)).toBe(false);
  places.release(2);
  await large;
  expect(places.waiting).toBe(1);
  places.release(3);
  await small;
  expect(order).toEqual(["large", "small"]);
  expect(places.used).toBe(1);
});

test("acquireUpTo gets what is free before those that wait", async () => {
  const bytes = new Allowance(10, "Too many");
  await bytes.acquire(4, LONG);
  const waiting = bytes.acquire(8, LONG);
  expect(bytes.acquireUpTo(100)).toBe(6);
  expect(bytes.acquireUpTo(100)).toBe(0);
  bytes.release(10);
  await waiting;
  expect(bytes.used).toBe(8);
});

test("a request for more than the total gets the total", async () => {
  const bytes = new Allowance(10, "Too many");
  await bytes.acquire(1000, LONG);
  expect(bytes.used).toBe(10);
  bytes.release(1000);
  expect(bytes.used).toBe(0);
});

test("a request that times out or is aborted does not block later ones", async () => {
  const bytes = new Allowance(10, "Too many large requests");
  await bytes.acquire(4, LONG);
  const leaver = new AbortController();
  const left = bytes.acquire(10, LONG, leaver.signal);
  const next = bytes.acquire(6, LONG);
  leaver.abort(new Error("gone"));
  await expect(left).rejects.toThrow("gone");
  await next;
  await expect(bytes.acquire(1, 1)).rejects.toMatchObject({
    code: "unavailable",
    message: "Too many large requests; try again later",
  });
  expect(bytes.used).toBe(10);
});

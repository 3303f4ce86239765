import { expect, it } from "vitest";
import { Backlog } from "./backlog.ts";

function backlogOf(times: readonly number[]): Backlog {
  const backlog = new Backlog();
  for (const time of times) backlog.acknowledge(time);
  return backlog;
}

it("finds the acknowledgement of the first command that waits", () => {
  const backlog = backlogOf([100, 200, 300, 400]);
  expect(backlog.longestWait(1, 450)).toBe(50);
  expect(backlog.longestWait(3, 450)).toBe(250);
  backlog.acknowledge(500);
  expect(backlog.longestWait(3, 510)).toBe(210);
});

it("has no wait when nothing waits", () => {
  expect(backlogOf([100]).longestWait(0, 900)).toBe(0);
  expect(backlogOf([]).longestWait(2, 900)).toBe(0);
});

it("counts from the first acknowledgement when more wait than were acknowledged", () => {
  expect(backlogOf([100, 200]).longestWait(5, 900)).toBe(800);
});

import { expect, it } from "vitest";
import { FleetReader } from "#cli/top/read-fleet.ts";
import type { Screen } from "#cli/top/screen.ts";
import { Top } from "#cli/top/top.ts";
import { fleet } from "./fleets.ts";

const clock = { now: () => Promise.resolve(0n), silentAfter: () => Promise.resolve(0) };

function topOn(screen: Screen, rows: () => Promise<never[]>, limit = 1000): Top {
  return new Top({
    source: "site",
    fleet: fleet(),
    reader: new FleetReader(clock),
    rowsUntil: (signal) => async () =>
      Promise.race([
        rows(),
        new Promise<never>((_resolve, reject) =>
          signal.addEventListener("abort", () => reject(signal.reason as Error)),
        ),
      ]),
    clock,
    interval: 10,
    limit,
    isColoured: false,
    size: () => ({ rows: 24, columns: 80 }),
    openScreen: () => screen,
    stopJob: undefined,
  });
}

it("restores the terminal before an unexpected error is reported", async () => {
  const calls: string[] = [];
  const screen: Screen = {
    show: () => undefined,
    close: () => Promise.resolve(calls.push("closed")).then(() => undefined),
  };
  const top = topOn(screen, () => Promise.resolve([]));
  const running = top.run().catch((error: unknown) => calls.push(String(error)));
  top.fail(new Error("a defect"));
  await running;
  expect(calls).toEqual(["closed", "Error: a defect"]);
});

it("says that a server takes too long, and keeps looking", async () => {
  const frames: string[] = [];
  const screen: Screen = { show: (lines) => frames.push(lines.join("\n")), close: () => Promise.resolve() };
  let looks = 0;
  const top = topOn(
    screen,
    () => {
      looks++;
      return new Promise(() => undefined);
    },
    50,
  );
  const running = top.run();
  await expect.poll(() => looks).toBeGreaterThan(2);
  top.leave(0);
  expect(await running).toBe(0);
  expect(frames.at(-1)).toMatch(/no answer since .*: it takes longer than 0 s/);
  // Nothing is drawn after the terminal was restored.
  const shown = frames.length;
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(frames).toHaveLength(shown);
});

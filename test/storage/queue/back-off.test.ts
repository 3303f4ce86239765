import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { BackOff } from "#storage/queue/back-off.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** The length of the next pause. */
function seconds(backOff: BackOff): number {
  const pause = backOff.pause();
  pause.over.catch(() => undefined);
  return pause.seconds;
}

describe("pauses between attempts", () => {
  it("double each time up to 30 s, and start at 250 ms again after a success", () => {
    const backOff = new BackOff();
    const pauses = Array.from({ length: 9 }, () => seconds(backOff));
    expect(pauses).toEqual([0.25, 0.5, 1, 2, 4, 8, 16, 30, 30]);
    backOff.reset();
    expect(seconds(backOff)).toBe(0.25);
  });

  it("end when their time is over", async () => {
    const over = vi.fn<() => void>();
    void new BackOff().pause().over.then(over);
    await vi.advanceTimersByTimeAsync(249);
    expect(over).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(over).toHaveBeenCalledOnce();
  });

  it("end at once when they are cancelled, later ones as well", async () => {
    const backOff = new BackOff();
    const now = backOff.pause();
    queueMicrotask(() => backOff.cancel());
    await expect(now.over).rejects.toBe(BackOff.cancelled);
    await expect(backOff.pause().over).rejects.toBe(BackOff.cancelled);
    expect(vi.getTimerCount()).toBe(0);
  });
});

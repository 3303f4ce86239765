import { describe, expect, it } from "vitest";
import { type AnswerState, type KeptAnswer, KeptAnswers } from "#app/explorer/kept-answers.ts";

const never = new AbortController().signal;

/** What is true of a version, which is that of a revision. */
function at(revision: number): AnswerState {
  return { version: String(revision), revision };
}

/** Makes answers of a text, and counts. */
function maker(text = "answer") {
  const made = { count: 0, make: async () => Promise.resolve(Buffer.from(`${text} ${++made.count}`)) };
  return made;
}

function textOf({ answer }: KeptAnswer): string {
  return Buffer.from(answer).toString();
}

describe("kept answers", () => {
  it("are made once for a key and a revision", async () => {
    const kept = new KeptAnswers(1000);
    const { make } = maker();
    const texts = [];
    for (const [key, revision] of [
      ["a", 1],
      ["a", 1],
      ["b", 1],
      ["a", 2],
      ["a", 2],
      ["a", 1],
    ] as const) {
      texts.push(textOf(await kept.get(key, at(revision), make, never)));
    }
    expect(texts).toEqual(["answer 1", "answer 1", "answer 2", "answer 3", "answer 3", "answer 4"]);
  });

  it("are shared by requests that come while one is made", async () => {
    const kept = new KeptAnswers(1000);
    const made = maker();
    const answers = await Promise.all(Array.from({ length: 20 }, () => kept.get("a", at(1), made.make, never)));
    expect(made.count).toBe(1);
    expect(new Set(answers).size).toBe(1);
  });

  it("keep the most recently used ones within the limit", async () => {
    const kept = new KeptAnswers(36);
    const made = maker("ten b");
    for (const key of ["a", "b", "a", "c", "a", "b"]) await kept.get(key, at(1), made.make, never);
    // 7 bytes each, and 2 for the key and for the version: three fit.
    expect([made.count, kept.bytes]).toEqual([3, 33]);
    await kept.get("d", at(1), made.make, never);
    expect(kept.bytes).toBe(33);
    await kept.get("a", at(1), made.make, never);
    await kept.get("b", at(1), made.make, never);
    expect(made.count).toBe(4);
    await kept.get("c", at(1), made.make, never);
    expect(made.count).toBe(5);
  });

  it("do not keep one that is larger than the limit, nor failures", async () => {
    const kept = new KeptAnswers(3);
    expect(textOf(await kept.get("a", at(1), maker().make, never))).toBe("answer 1");
    expect(kept.bytes).toBe(0);
    await expect(kept.get("b", at(1), async () => Promise.reject(new Error("no such field")), never)).rejects.toThrow(
      "no such field",
    );
    expect(textOf(await kept.get("b", at(1), async () => Promise.resolve(Buffer.from("b")), never))).toBe("b");
  });

  it("are cancelled when the last waiting request ends, and not before", async () => {
    const kept = new KeptAnswers(1000);
    const [one, other] = [new AbortController(), new AbortController()];
    let ended: unknown;
    const endless = async (signal: AbortSignal): Promise<Buffer> =>
      new Promise((_, reject) => {
        signal.addEventListener("abort", () => {
          ended = signal.reason;
          reject(new Error("interrupted"));
        });
      });
    const first = kept.get("a", at(1), endless, one.signal);
    const second = kept.get("a", at(1), endless, other.signal);
    one.abort(new Error("left"));
    await expect(first).rejects.toThrow("left");
    expect(ended).toBeUndefined();
    other.abort(new Error("left too"));
    await expect(second).rejects.toThrow("left too");
    expect(ended).toEqual(new Error("left too"));
    // The next request begins anew instead of waiting for what was given up.
    expect(textOf(await kept.get("a", at(1), maker().make, never))).toBe("answer 1");
  });
});

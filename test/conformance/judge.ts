import { compareAnswers } from "./compare.ts";
import { deviationOf } from "./deliberate.ts";
import type { Answer, Recording } from "./recording.ts";

/** What an answer of Census is worth. Differences are those from the closest recorded answer. */
export type Verdict =
  /** equal to the recorded answer of `generation` */
  | { readonly kind: "right"; readonly generation: string }
  | { readonly kind: "wrong"; readonly generation: string; readonly differences: readonly string[] }
  /** different on purpose; `reason` names the deviation (deliberate.ts) */
  | { readonly kind: "not judged"; readonly reason: string; readonly differences: readonly string[] };

/** Judges one answer: an answer equal to any generation's is right. */
export function judge(recording: Recording, actual: Answer): Verdict {
  const attempts = recording.expected.map((expected) => ({
    generation: expected.generation,
    differences: compareAnswers(recording.rules, expected, actual),
  }));
  const closest = attempts.reduce((best, next) => (next.differences.length < best.differences.length ? next : best));
  if (closest.differences.length === 0) return { kind: "right", generation: closest.generation };
  const deviation = deviationOf(recording, actual);
  if (deviation === undefined) return { kind: "wrong", ...closest };
  return { kind: "not judged", reason: deviation.name, differences: closest.differences };
}

/** The verdict on a request that was not answered at all. */
export function unanswered(recording: Recording, message: string): Verdict {
  return { kind: "wrong", generation: recording.expected[0].generation, differences: [`no answer: ${message}`] };
}

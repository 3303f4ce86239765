import { expect } from "vitest";

/** What a refusal is compared with: a whole text, or a pattern for those whose words are ours or have no order. */
export function refused(text: string | RegExp): unknown {
  return typeof text === "string" ? text : expect.stringMatching(text);
}

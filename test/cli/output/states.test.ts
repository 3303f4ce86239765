import { describe, expect, it } from "vitest";
import { paintOfState, stateLooks, stateText } from "#cli/output/states.ts";
import { stateOfWord } from "#storage/states/words.ts";
import { displayWidth } from "#cli/output/fit.ts";
import { stateLabels } from "#storage/states/words.ts";
import { stateKeys } from "#storage/states/node-state.ts";

describe("the states of nodes, reports and events", () => {
  it("have a sign each, as wide as a letter", () => {
    const signs = stateKeys.map((key) => stateLooks[key].sign);
    expect(new Set(signs).size).toBe(stateKeys.length);
    expect(signs.map(displayWidth)).toStrictEqual(signs.map(() => 1));
  });

  it.each([
    ["failed", "✖ failed"],
    ["failure", "✖ failure"],
    ["hidden failure", "⊗ hidden failure"],
    ["on_failure", "⊗ on_failure"],
    ["corrective", "◆ corrective"],
    ["changed", "▲ changed"],
    ["success", "▲ success"],
    ["pending", "◐ pending"],
    ["noop", "◐ noop"],
    ["unchanged", "○ unchanged"],
    ["skipped", "□ skipped"],
    ["never reported", "□ never reported"],
    ["silent", "◷ silent"],
    ["constructor", "constructor"],
    ["", ""],
  ])("%s is shown as %s", (word, text) => {
    expect(stateText(word, stateOfWord(word))).toBe(text);
  });

  it("are recognised by the labels of the explorer", () => {
    for (const key of stateKeys) expect(stateOfWord(stateLabels[key])).toBe(key);
  });

  it("have a colour, and other words have none", () => {
    expect(paintOfState("✖ failed")?.("x")).toBe("\u001b[31mx\u001b[39m");
    expect(paintOfState("✖failed")).toBeUndefined();
    expect(paintOfState("true")).toBeUndefined();
  });
});

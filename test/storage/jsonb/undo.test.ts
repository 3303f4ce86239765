import { describe, expect, it } from "vitest";
import { undoChanges } from "#storage/jsonb/undo.ts";

describe("a fact before its scalars changed", () => {
  it.each<[what: string, present: string, changes: string, past: string]>([
    ["another value", `"6.1"`, `[[["kernel"], "5.10"]]`, `"5.10"`],
    ["null", "1", `[[["fact"], null]]`, "null"],
    ["a fact that came", `"6.1"`, `[[["kernel"]]]`, ""],
    [
      "a fact that went",
      "",
      `[[["os", "name"], "Debian"], [["os", "dns", 1], "b"], [["os", "dns", 0], "a"]]`,
      `{"dns": ["a", "b"], "name": "Debian"}`,
    ],
    ["an index beyond all others", `[1]`, `[[["l", 4000000000], "b"], [["l", 7], "a"]]`, `[1, "a", "b"]`],
    ["a key that came", `{"a": 1, "b": 2}`, `[[["os", "b"]]]`, `{"a": 1}`],
    ["an object that came", `{"a": 1, "b": {"c": {"d": 2}}}`, `[[["os", "b", "c", "d"]]]`, `{"a": 1}`],
    [
      "an empty object that is not empty now",
      `{"a": {"b": 1}}`,
      `[[["os", "a"], {}], [["os", "a", "b"]]]`,
      `{"a": {}}`,
    ],
    ["a shorter list", `[1, 2, 3]`, `[[["l", 1]], [["l", 2]]]`, `[1]`],
    [
      "a scalar in a list, where an object is now",
      `[{"a": 1}, {"b": 2}]`,
      `[[["l", 0, "a"]], [["l", 0], 5]]`,
      `[5, {"b": 2}]`,
    ],
    ["an object where a scalar is now", `5`, `[[["f"]], [["f", "a", "0"], 1]]`, `{"a": {"0": 1}}`],
    [
      "an exact number",
      `{"a": 1.0, "b": 1}`,
      `[[["f", "b"], 12345678901234567890]]`,
      `{"a": 1.0, "b": 12345678901234567890}`,
    ],
    [
      "a key that objects have themselves",
      `{"a": 1}`,
      `[[["f", "__proto__", "x"], 1], [["f", "a"]]]`,
      `{"__proto__": {"x": 1}}`,
    ],
  ])("%s", (_, present, changes, past) => {
    expect(undoChanges(present, changes)).toBe(past);
  });
});

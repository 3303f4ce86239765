import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { anonymizationDocs, renderAnonymizationDocs } from "../../packaging/anonymization-docs.ts";

describe("docs/anonymization.md", () => {
  it("is up to date; npm run docs writes it", () => {
    expect(readFileSync(anonymizationDocs, "utf8")).toBe(renderAnonymizationDocs());
  });

  // reference/archive.md §5.3, with the deviations of docs/differences.md
  it.each([
    ["titles of resources, classes included", ["replaced", "by rule", "kept"]],
    ["names of parameters, of properties and of events", ["replaced", "kept", "kept"]],
    ["values of parameters, old and new values of events", ["replaced", "replaced", "replaced"]],
    ["messages of events", ["replaced", "replaced", "replaced"]],
    ["messages of log lines", ["replaced", "replaced", "replaced"]],
    ["environments", ["replaced", "replaced", "kept"]],
    ["names of facts, at every depth", ["replaced", "by rule", "kept"]],
    ["values of facts, versions of packages", ["replaced", "by rule", "by rule"]],
  ])("says what each profile does with %s", (what, cells) => {
    const row = renderAnonymizationDocs()
      .split("\n")
      .find((line) => line.startsWith(`| ${what} |`));
    expect(row?.slice(2, -2).split(" | ").slice(2)).toEqual(cells);
  });
});

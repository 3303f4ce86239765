import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { anonymizationDocs, renderAnonymizationDocs } from "../../packaging/anonymization-docs.ts";

describe("docs/anonymization.md", () => {
  it("says what the declarations say; npm run docs makes it anew", () => {
    expect(readFileSync(anonymizationDocs, "utf8")).toBe(renderAnonymizationDocs());
  });

  // reference/archive.md §5.3, and where it is left: docs/differences.md
  it.each([
    ["titles of resources, classes included", ["hidden", "depends", "kept"]],
    ["names of parameters, of properties and of events", ["hidden", "kept", "kept"]],
    ["values of parameters, old and new values of events", ["hidden", "hidden", "hidden"]],
    ["messages of events", ["hidden", "hidden", "hidden"]],
    ["messages of log lines", ["hidden", "hidden", "hidden"]],
    ["environments", ["hidden", "hidden", "kept"]],
    ["names of facts, at every depth", ["hidden", "depends", "kept"]],
    ["values of facts, versions of packages", ["hidden", "depends", "depends"]],
  ])("tells of %s", (what, cells) => {
    const row = renderAnonymizationDocs()
      .split("\n")
      .find((line) => line.startsWith(`| ${what} |`));
    expect(row?.slice(2, -2).split(" | ").slice(2)).toEqual(cells);
  });
});

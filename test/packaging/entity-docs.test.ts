import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { entityDocs, renderEntityDocs } from "../../packaging/entity-docs.ts";

describe("docs/entities.md", () => {
  it("is up to date; npm run docs writes it", () => {
    expect(readFileSync(entityDocs, "utf8")).toBe(renderEntityDocs());
  });

  // The rows of reference/entities.md §1, as far as a scalar operand shows them.
  it.each([
    ["string", "`=` `~`"],
    ["timestamp", "`=` `<` `>` `<=` `>=`"],
    ["boolean", "`=`"],
    ["numeric", "`=` `<` `>` `<=` `>=`"],
    ["array", "`=` `~`"],
    ["encoded-path", "`=` `~` `~>`"],
    ["path", "`=` `~>`"],
    ["json", "`=` `<` `>` `<=` `>=` `~`"],
  ])("gives %s the operators of the reference", (kind, operators) => {
    expect(renderEntityDocs()).toContain(`| ${kind} | ${operators} |`);
  });
});

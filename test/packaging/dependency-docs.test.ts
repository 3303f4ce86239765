import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { developingDocs, notice, renderDevelopingDocs, renderNotice } from "../../packaging/dependency-docs.ts";

it("the table of dependencies and NOTICE are those of package.json: npm run docs", () => {
  const page = readFileSync(developingDocs, "utf8");
  expect(page).toBe(renderDevelopingDocs(page));
  expect(readFileSync(notice, "utf8")).toBe(renderNotice());
});

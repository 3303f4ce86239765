import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { commandLineDocs, renderCommandLineDocs } from "../../packaging/command-line-docs.ts";

// It runs the commands of the everyday questions.
it("docs/command-line.md is up to date; npm run docs writes it", { timeout: 300_000 }, async () => {
  expect(readFileSync(commandLineDocs, "utf8")).toBe(await renderCommandLineDocs());
});

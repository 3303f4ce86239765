import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { commandLineDocs, renderCommandLineDocs } from "../../packaging/command-line-docs.ts";

it("docs/command-line.md says what the declarations say; npm run docs makes it anew", async () => {
  expect(readFileSync(commandLineDocs, "utf8")).toBe(await renderCommandLineDocs());
});

import { describe, expect, it } from "vitest";
import { drawnBlocks, drawnTable } from "./terminal-table.ts";

describe("in a pipe", () => {
  it("a table has borders and every value as it is", async () => {
    const rows = ['{"a":1,"b":"2026-11-20T11:42:19.385Z"}', '{"a":22,"b":"\\u001b[31mred"}'];
    expect(await drawnTable(rows)).toStrictEqual({
      lines: [
        "┌────┬──────────────────────────┐",
        "│ a  │ b                        │",
        "├────┼──────────────────────────┤",
        "│ 1  │ 2026-11-20T11:42:19.385Z │",
        "│ 22 │ \\u001b[31mred            │",
        "└────┴──────────────────────────┘",
      ],
      aside: "2 rows\n",
    });
  });

  it("has colours only if they are forced, and no signs", async () => {
    const rows = [{ status: "failed", name: "failed" }];
    expect((await drawnTable(rows)).lines.join("")).not.toContain("\u001b");
    const { lines } = await drawnTable(rows, { isColoured: true });
    expect(lines.slice(1)).toStrictEqual([
      "│ \u001b[1mstatus\u001b[22m │ \u001b[1mname\u001b[22m   │",
      "├────────┼────────┤",
      "│ \u001b[31mfailed\u001b[39m │ failed │",
      "└────────┴────────┘",
    ]);
  });

  it("blocks have borders", async () => {
    const rows = ['{"first":"one value","third":[1.0]}', '{"first":"","third":{}}'];
    expect((await drawnBlocks(rows)).lines).toStrictEqual([
      "┌───────┬───────────┐",
      "│ first │ one value │",
      "│ third │ [1.0]     │",
      "└───────┴───────────┘",
      "┌───────┬────┐",
      "│ first │    │",
      "│ third │ {} │",
      "└───────┴────┘",
    ]);
  });

  it("nothing is drawn for no rows", async () => {
    expect(await drawnTable([])).toStrictEqual({ lines: [], aside: "0 rows\n" });
  });
});

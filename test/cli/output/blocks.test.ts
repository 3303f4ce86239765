import { expect, it } from "vitest";
import { drawnBlocks } from "./terminal-table.ts";

it("blocks on a terminal have a blank line between rows", async () => {
  const rows = [{ status: "noop", timestamp: "2026-11-20T11:00:00.000Z" }, { status: "skipped" }];
  expect((await drawnBlocks(rows, { columns: 80 })).lines).toStrictEqual([
    "status     ◐ noop",
    "timestamp  2026-11-20 11:00:00 · 1 h ago",
    "",
    "status  □ skipped",
  ]);
});

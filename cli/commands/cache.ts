import { choiceArgument } from "../arguments.ts";
import { declareCommand } from "../command.ts";
import { outputOption } from "../options.ts";
import { counted } from "../output/counted.ts";
import { printRows } from "../output/print.ts";
import { rowsOf } from "../output/rows.ts";
import { stdout } from "../stdout.ts";

export const cache = declareCommand({
  name: "cache",
  description: "List or clear the cache of opened archives and copied servers",
  args: {
    action: choiceArgument(["list", "clear"]),
    output: outputOption("table", "json"),
  },
  examples: ["cache list", "cache clear"],
  run: async ({ args }) => {
    const { isInUse, listEntries, removeEntry } = await import("../cache/entries.ts");
    const entries = await listEntries();
    if (args.action === "list") {
      const { listed } = await import("../cache/listed.ts");
      return printRows(rowsOf(listed(entries)), args.output);
    }
    const { forgetHashes } = await import("../cache/known-hashes.ts");
    const removed = entries.filter((entry) => !isInUse(entry));
    for (const entry of removed) await removeEntry(entry);
    forgetHashes();
    const kept = entries.length - removed.length;
    const rest = kept === 0 ? "" : `; ${kept} in use`;
    await stdout.write(`Removed ${counted(removed.length, "archive")} from the cache${rest}\n`);
  },
});

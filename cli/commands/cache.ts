import { declareCommand } from "../command.ts";
import { UsageError } from "../errors.ts";
import { outputOption } from "../options.ts";
import { counted } from "../output/counted.ts";
import { stdout } from "../stdout.ts";

/** The actions of the command. */
const actions = ["list", "clear"] as const;

export const cache = declareCommand({
  name: "cache",
  description: "List or clear the cache of opened archives and copied servers",
  args: {
    action: { type: "positional", required: true, valueHint: actions.join("|"), description: "Action" },
    output: outputOption("table", "json"),
  },
  examples: ["cache list", "cache clear"],
  run: async ({ args }) => {
    const action = actions.find((known) => known === args.action);
    if (action === undefined) {
      const text = `ACTION must be one of ${actions.join(", ")}, not ${JSON.stringify(args.action)}`;
      throw new UsageError(`cache: ${text}`);
    }
    const { isInUse, listEntries, removeEntry } = await import("../cache/entries.ts");
    const entries = await listEntries();
    if (action === "list") {
      const output: "table" | "json" | undefined = args.output;
      const [{ writers }, { listed }] = await Promise.all([
        import("../output/writers.ts"),
        import("../cache/listed.ts"),
      ]);
      return writers[output ?? (process.stdout.isTTY ? "table" : "json")](listed(entries), stdout);
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

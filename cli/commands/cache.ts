import { declareCommand } from "../command.ts";
import { UsageError } from "../errors.ts";
import { outputOption } from "../options.ts";
import { stdout } from "../stdout.ts";

/** What can be done. */
const actions = ["list", "clear"] as const;

export const cache = declareCommand({
  name: "cache",
  description: "Opened archives that are kept for the next time: list them, or clear them away",
  args: {
    action: { type: "positional", required: true, valueHint: actions.join("|"), description: "What to do with them" },
    output: outputOption("table", "json"),
  },
  examples: ["cache list", "cache clear"],
  run: async ({ args }) => {
    const action = actions.find((known) => known === args.action);
    if (action === undefined) {
      const text = `the action must be one of ${actions.join(", ")}, not ${JSON.stringify(args.action)}`;
      throw new UsageError(`cache: ${text}`);
    }
    const { listEntries, removeEntry } = await import("../cache/entries.ts");
    const entries = await listEntries();
    if (action === "list") {
      const output: "table" | "json" | undefined = args.output;
      const [{ writers }, { listed }] = await Promise.all([
        import("../output/writers.ts"),
        import("../cache/listed.ts"),
      ]);
      return writers[output ?? (process.stdout.isTTY ? "table" : "json")](listed(entries), stdout);
    }
    for (const entry of entries) await removeEntry(entry);
    await stdout.write(`Cleared ${entries.length === 1 ? "1 archive" : `${entries.length} archives`}\n`);
  },
});

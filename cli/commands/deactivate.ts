import { declareCommand } from "../command.ts";
import { maintainOptions, nodeArgument } from "../maintain-options.ts";

export const deactivate = declareCommand({
  name: "deactivate",
  description: "Deactivate nodes on a server: queries leave them out until they report again",
  args: { node: nodeArgument, ...maintainOptions },
  repeats: true,
  examples: [
    "deactivate berth-0006 --yes --url http://127.0.0.1:8080",
    "deactivate berth-0006 berth-0015 --yes --url http://127.0.0.1:8080",
  ],
  run: async ({ args }) => (await import("../maintain.ts")).changeNodes("deactivate", args._, args),
});

import { declareCommand } from "../command.ts";
import { maintainOptions, nodeArgument } from "../maintain-options.ts";

export const deleteCommand = declareCommand({
  name: "delete",
  description: "Delete nodes with all their data on a server",
  args: { node: nodeArgument, ...maintainOptions },
  repeats: true,
  examples: ["delete berth-0006 --yes --url http://127.0.0.1:8080"],
  run: async ({ args }) => (await import("../maintain.ts")).changeNodes("delete", args._, args),
});

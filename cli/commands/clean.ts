import { operationNames } from "#storage/lifecycle/operation.ts";
import { declareCommand } from "../command.ts";
import { UsageError } from "../errors.ts";
import { maintainOptions } from "../maintain-options.ts";
import { unknownName } from "../unknown-name.ts";

export const clean = declareCommand({
  name: "clean",
  description: "Run the maintenance of a server now: expire and purge nodes, delete old reports",
  args: {
    operation: {
      type: "positional",
      required: false,
      valueHint: operationNames.join("|"),
      description: "Only this operation; repeatable",
    },
    ...maintainOptions,
  },
  repeats: true,
  examples: ["clean --yes --url http://127.0.0.1:8080", "clean purge_reports --yes --url http://127.0.0.1:8080"],
  run: async ({ args }) => {
    const unknown = args._.find((name) => !operationNames.some((known) => known === name));
    if (unknown !== undefined) {
      const otherwise = `use ${operationNames.join(", ")}`;
      throw unknownName("clean: ", "operation", unknown, operationNames, otherwise);
    }
    if (new Set(args._).size < args._.length) throw new UsageError("clean: an operation is given twice");
    return (await import("../maintain.ts")).clean(args._, args);
  },
});

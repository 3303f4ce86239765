import { declareCommand } from "../command.ts";
import { shortFormOptions } from "../short-forms/options.ts";
import { runLoaded } from "../short-forms/run-loaded.ts";

export const resources = declareCommand({
  name: "resources",
  description: "List resource types, resources of a type, or the parameters of one by value",
  args: {
    resource: {
      type: "positional",
      required: false,
      valueHint: "TYPE[TITLE]",
      description: "Type, or resource with its nodes by parameter and value (default: all types)",
    },
    param: {
      type: "string",
      repeats: true,
      valueHint: "NAME=VALUE",
      description: "List the resources of the type with this parameter on all nodes, e.g. mode=0777; repeatable",
    },
    slowest: {
      type: "boolean",
      description: "List types by the time that the latest runs spent on their resources",
    },
    "by-node": { type: "boolean", description: "List the nodes with the resource instead, each with all parameters" },
    ...shortFormOptions,
  },
  examples: [
    "resources --archive export.tgz",
    "resources file --param mode=0644 --limit 5 --archive export.tgz",
    "resources service --archive export.tgz",
    "resources --slowest --limit 5 --archive export.tgz",
    "resources 'File[/etc/chrony/chrony-7.conf]' --archive export.tgz",
    "resources 'File[/etc/chrony/chrony-7.conf]' --by-node --archive export.tgz --output ndjson",
  ],
  run: async ({ args, lists }) => {
    if (args.slowest === true) {
      const { runTimesList, slowestTypes } = await import("../short-forms/run-times.ts");
      return runTimesList(slowestTypes(args.resource), args);
    }
    return runLoaded(args, async () => {
      const { resourcesForm } = await import("../short-forms/resources.ts");
      return resourcesForm({ ...args, parameters: lists["param"] ?? [] });
    });
  },
});

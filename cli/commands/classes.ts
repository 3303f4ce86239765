import { declareCommand } from "../command.ts";
import { shortFormOptions } from "../short-forms/options.ts";
import { runLoaded } from "../short-forms/run-loaded.ts";

export const classes = declareCommand({
  name: "classes",
  description: "Count the nodes with each class, or list the nodes with one",
  args: {
    name: {
      type: "positional",
      required: false,
      description: "List the nodes with this class, e.g. profile::base; with *, count the classes that match",
    },
    ...shortFormOptions,
  },
  examples: [
    "classes --archive export.tgz",
    "classes 'role::*' --archive export.tgz",
    "classes chrony --archive export.tgz",
  ],
  run: async ({ args }) => runLoaded(args, async () => (await import("../short-forms/classes.ts")).classesForm(args)),
});

import { declareCommand } from "../command.ts";
import { shortFormOptions } from "../short-forms/options.ts";
import { runLoaded } from "../short-forms/run-loaded.ts";

export const packages = declareCommand({
  name: "packages",
  description: "List installed packages, or the nodes with one by version",
  args: {
    name: {
      type: "positional",
      required: false,
      description: "List the nodes with this package; may be a pattern with *",
    },
    "older-than": {
      type: "string",
      valueHint: "VERSION",
      description:
        "With a version below VERSION in the provider's order; without an epoch (1:) in VERSION, epochs are ignored",
    },
    provider: { type: "string", valueHint: "NAME", description: "From this provider: apt, dnf, gem, pip, npm, …" },
    count: { type: "boolean", description: "Count the nodes with each value: version; needs NAME" },
    ...shortFormOptions,
  },
  examples: [
    "packages --archive export.tgz",
    "packages openssl --older-than 3.0.8 --archive export.tgz",
    "packages 'openssh*' --count --archive export.tgz --output csv",
  ],
  run: async ({ args }) => runLoaded(args, async () => (await import("../short-forms/packages.ts")).packagesForm(args)),
});

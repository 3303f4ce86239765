import { inventoryFormatNames } from "#storage/inventory/format-names.ts";
import { declareCommand } from "../command.ts";
import { stateOptions } from "../sources/options.ts";

export const inventory = declareCommand({
  name: "inventory",
  description: "Write the nodes as an inventory for Ansible, Bolt, Prometheus or ssh",
  args: {
    query: {
      type: "positional",
      required: false,
      valueHint: "PQL",
      description: "List the nodes of this query, whose rows have a certname (default: all active nodes)",
    },
    output: {
      type: "enum",
      options: [...inventoryFormatNames],
      description:
        "Format, after the tool that reads it (required); prometheus-sd is for HTTP and file service discovery",
    },
    group: {
      type: "string",
      repeats: true,
      valueHint: "FIELD",
      description:
        "Group by a fact, environment or trusted.extensions.NAME (default: environment and os.family); none for no " +
        "groups; repeatable",
    },
    "group-class": {
      type: "string",
      repeats: true,
      valueHint: "NAME",
      description: "Group by these classes, e.g. 'role::*'; repeatable",
    },
    var: {
      type: "string",
      repeats: true,
      valueHint: "FIELD",
      description: "Add a fact as a variable or label; repeatable",
    },
    address: { type: "string", valueHint: "FACT", description: "Fact with the address, e.g. networking.ip" },
    port: {
      type: "string",
      valueHint: "N",
      description: "Port of the nodes (default: for prometheus-sd 9100, else none)",
    },
    user: { type: "string", valueHint: "NAME", description: "User to log in as; for ansible, bolt and ssh" },
    ...stateOptions,
    out: { type: "string", valueHint: "FILE", description: "Write to FILE, atomically", group: "output" },
  },
  formerOptions: { format: "output" },
  examples: [
    "inventory --output ansible --group os.name --group-class 'role::*' --archive export.tgz",
    "inventory --output bolt --address networking.ip --user root --archive export.tgz",
    "inventory 'nodes[certname] { latest_report_status = \"failed\" }' --output ssh --archive export.tgz",
    "inventory --output prometheus-sd --var os.release.full --out targets.json --archive export.tgz",
  ],
  run: async ({ args, lists }) => {
    const { runInventory } = await import("../inventory/run.ts");
    await runInventory({
      ...args,
      groupBy: lists["group"] ?? [],
      classes: lists["group-class"] ?? [],
      variables: lists["var"] ?? [],
    });
  },
});

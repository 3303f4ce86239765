import { declareCommand } from "../command.ts";
import { UsageError } from "../errors.ts";
import { outputOption } from "../options.ts";
import { outputFormats } from "../output/formats.ts";
import { type FactsArguments } from "../short-forms/facts.ts";
import { shortFormOptions } from "../short-forms/options.ts";

export const facts = declareCommand({
  name: "facts",
  description: "Show facts of a node, one fact of all nodes, or all fact names",
  args: {
    certname: {
      type: "positional",
      required: false,
      description: "Show facts of this node; if none has the name, the fact of all nodes",
    },
    fact: {
      type: "positional",
      required: false,
      description: "Show this fact only, or a path inside it: os.release.major",
    },
    name: { type: "string", valueHint: "FACT", description: "Show this fact of all nodes, or a path inside it" },
    count: {
      type: "boolean",
      description: "Count the nodes with each value (and those without the fact); needs a fact",
    },
    duplicates: { type: "boolean", description: "List the values that several nodes have, with the nodes" },
    ...shortFormOptions,
    output: outputOption("tree", ...outputFormats),
  },
  examples: [
    "facts berth-0024.tollhouse.saltmarsh.example --archive export.tgz",
    "facts berth-0024.tollhouse.saltmarsh.example os.release --archive export.tgz",
    "facts kernelrelease --archive export.tgz",
    "facts os.family --count --archive export.tgz",
    "facts networking.ip --duplicates --archive export.tgz",
    "facts --archive export.tgz --output csv",
  ],
  run: async ({ args: { output, ...args } }) => {
    const [{ factsForm }, { runShortForm }] = await Promise.all([
      import("../short-forms/facts.ts"),
      import("../short-forms/run.ts"),
    ]);
    const form = factsForm(args);
    const isTree = output === "tree" || (output === undefined && isForPeople(args));
    if (!isTree) return runShortForm(form, output === undefined ? args : { ...args, output: output });
    if (args.certname === undefined || args.fact !== undefined) {
      throw new UsageError("facts: --output tree needs a certname and no fact; use another --output");
    }
    const [{ writeTree }, { lookOf, textPlace, writeText }] = await Promise.all([
      import("../output/tree.ts"),
      import("../output/answer.ts"),
    ]);
    const place = textPlace(args);
    await runShortForm(
      { ...form, write: (rows) => writeText(place, (output) => writeTree(rows, output, lookOf(place))) },
      args,
    );
  },
});

/** A terminal is shown the facts of a node as a tree. */
function isForPeople({ certname, out, ...others }: FactsArguments): boolean {
  const { fact, name, count, duplicates } = others;
  const isOfNode = [fact, name, count, duplicates].every((option) => option === undefined);
  return certname !== undefined && isOfNode && out === undefined && process.stdout.isTTY;
}

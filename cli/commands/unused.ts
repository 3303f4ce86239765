import { declareCommand } from "../command.ts";
import { answerOptions, answerPlace, writeAnswer } from "../output/answer.ts";
import { aboutResult } from "../output/page-of.ts";
import { rowsOf } from "../output/rows.ts";
import { stateOptions } from "../sources/options.ts";

export const unused = declareCommand({
  name: "unused",
  description: "List classes and defined types of Puppet code that no catalog has",
  args: {
    path: {
      type: "positional",
      required: true,
      valueHint: "FILE|DIR",
      description: "Manifest, or directory with manifests, such as an environment; tests and examples are left out",
    },
    ...stateOptions,
    ...answerOptions,
  },
  examples: [
    "unused /etc/puppetlabs/code/environments/production --archive export.tgz",
    "unused site.pp --data /var/lib/census --output csv",
  ],
  run: async ({ args }) => {
    const [{ declarationsBelow }, find, { chooseSource }, { withSource }, { rowReader }] = await Promise.all([
      import("../unused/manifests.ts"),
      import("../unused/unused.ts"),
      import("../sources/choice.ts"),
      import("../sources/source.ts"),
      import("../sources/read-rows.ts"),
    ]);
    const choice = chooseSource("unused", args);
    const place = answerPlace(args);
    const declarations = await declarationsBelow(args.path);
    await withSource(choice, undefined, async (source) => {
      const rows = await find.unused(declarations, rowReader(source));
      await writeAnswer(rowsOf(rows), place, aboutResult(source, { title: `Census unused ${args.path}` }));
      if (place.format === "table") {
        process.stderr.write(`${rows.length} of ${declarations.length} classes and defined types are in no catalog\n`);
      }
    });
  },
});

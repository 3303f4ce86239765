import { documentKinds } from "#storage/archive/document-kinds.ts";
import { declareCommand } from "../command.ts";
import { UsageError } from "../errors.ts";
import { answerOptions, answerPlace, writeAnswer } from "../output/answer.ts";
import { aboutResult } from "../output/page-of.ts";
import { rowsOf } from "../output/rows.ts";
import { stateOptions } from "../sources/options.ts";
import { limitOption, readLimit } from "../sources/paging.ts";
import { unknownName } from "../unknown-name.ts";

/** Findings of each kind. */
const LIMIT = 10;

export const search = declareCommand({
  name: "search",
  description: "Search certnames, classes, facts, resources, packages, reports, messages and logs",
  args: {
    word: {
      type: "positional",
      required: true,
      description: "Text to find; of several words all must occur, in any case",
    },
    kind: {
      type: "string",
      valueHint: "KINDS",
      description:
        "Search only in node, class, fact, resource, parameter, package, report (hash or configuration version), message, log (of the latest runs)",
    },
    ...stateOptions,
    ...answerOptions,
    limit: { ...limitOption, description: `${limitOption.description} (of each kind; default: ${LIMIT})` },
  },
  repeats: true,
  examples: [
    "search chrony --archive export.tgz",
    "search debian 12 --kind fact,package --archive export.tgz",
    "search 'could not' --kind message,log --archive export.tgz --output ndjson",
  ],
  run: async ({ args }) => {
    const [{ searchKinds }, { search: run }, { chooseSource }, { withSource }] = await Promise.all([
      import("#storage/search/kinds.ts"),
      import("../search/search.ts"),
      import("../sources/choice.ts"),
      import("../sources/source.ts"),
    ]);
    const words = args._.filter((word) => word !== "");
    if (words.length === 0) throw new UsageError("search: the text is empty");
    const kinds = args.kind?.split(",").map((name) => {
      const kind = searchKinds.find((one) => one === name.trim());
      if (kind === undefined) throw unknownName("search: ", "kind", name, searchKinds, `use ${searchKinds.join(", ")}`);
      return kind;
    });
    const choice = chooseSource("search", args);
    const place = answerPlace(args);
    const limit = readLimit(args.limit, LIMIT) ?? LIMIT;
    await withSource(choice, documentKinds, async (source) => {
      const { rows, total } = await run(words, kinds ?? searchKinds, limit, source);
      const about = aboutResult(source, { title: `Census search ${words.join(" ")}` });
      await writeAnswer(rowsOf(rows), place, { ...about, total: () => total });
      if (total > 0) return;
      const [{ whyNothingFound }, { rowReader }] = await Promise.all([
        import("../search/nothing-found.ts"),
        import("../sources/read-rows.ts"),
      ]);
      for (const line of await whyNothingFound(words, rowReader(source))) process.stderr.write(`${line}\n`);
    });
  },
});

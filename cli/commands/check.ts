import { documentKinds } from "#storage/archive/document-kinds.ts";
import { checkFormats } from "../check/formats.ts";
import { declareCommand } from "../command.ts";
import { UsageError } from "../errors.ts";
import { pagerOption } from "../output/answer.ts";
import { stateOptions } from "../sources/options.ts";

export const check = declareCommand({
  name: "check",
  description: "Check assertions of a file; exit code 1 when one fails",
  args: {
    file: {
      type: "positional",
      required: true,
      valueHint: "FILE",
      description: "YAML file with queries and what is expected of their rows; repeatable",
    },
    param: {
      type: "string",
      valueHint: "NAME=VALUE",
      repeats: true,
      description: "Set a parameter of the files; repeatable",
    },
    against: {
      type: "string",
      valueHint: "OLD",
      description: 'Archive, data directory or URL to compare with, for checks such as "no new rows"',
    },
    strict: {
      type: "boolean",
      description: "Fail a check whose query names a fact, class or other thing that the source does not have",
    },
    init: { type: "boolean", description: "Write FILE as an example to begin with, and check nothing" },
    ...stateOptions,
    output: {
      type: "enum",
      options: [...checkFormats],
      description: "Format of the report (default: text); github writes annotations for GitHub Actions",
      group: "output",
    },
    out: { type: "string", valueHint: "FILE", description: "Write to FILE, atomically", group: "output" },
    ...pagerOption,
  },
  repeats: true,
  formerOptions: { format: "output" },
  examples: [
    "check checks.yaml --archive export.tgz",
    "check checks.yaml --param environment=production --param max_silent=5 --archive export.tgz",
    "check checks.yaml --against last-week.tgz --archive export.tgz",
    "check checks.yaml --strict --param environment=production --archive export.tgz",
    "check checks.yaml --output junit --out checks.xml",
    "check first-checks.yaml --init",
  ],
  run: async ({ args, lists }) => {
    if (args.init === true) {
      const [first = "", second] = args._;
      if (second !== undefined) throw new UsageError("check: --init writes one file");
      const { writeExample } = await import("../check/example.ts");
      return writeExample(first);
    }
    const [{ chooseSource }, { openSource }, checks, { isFailure }, { lookOf, textPlace, writeText }] =
      await Promise.all([
        import("../sources/choice.ts"),
        import("../sources/source.ts"),
        import("../check/checks.ts"),
        import("../check/outcome.ts"),
        import("../output/answer.ts"),
      ]);
    const [{ reportWriters }, { readGiven }] = await Promise.all([
      import("../check/formats.ts"),
      import("../check/given.ts"),
    ]);
    const found = await checks.readChecks(args._, readGiven(lists["param"] ?? [], "check: --param"));
    const choice = chooseSource("check", args);
    const { archive: _archive, data: _data, url: _url, urls: _urls, ...contact } = args;
    const older = args.against === undefined ? undefined : chooseSource("check", contact, args.against);
    if (older === undefined && found.every(({ query }) => query.expectation?.kind === "change")) {
      throw new UsageError("check: every check is about changes; add --against OLD");
    }
    const format = args.output ?? "text";
    const place = textPlace({ out: args.out, pager: args.pager && format === "text" });
    const source = await openSource(choice, documentKinds);
    const against = older === undefined ? undefined : await openSource(older, documentKinds);
    try {
      const outcomes = await checks.runChecks(found, { source, against, isStrict: args.strict === true });
      const report = { outcomes, source: source.name, against: against?.name, now: () => source.now() };
      await writeText(place, (output) => reportWriters[format](report, output, lookOf(place)));
      return outcomes.some(isFailure) ? 1 : 0;
    } finally {
      await against?.close();
      await source.close();
    }
  },
});

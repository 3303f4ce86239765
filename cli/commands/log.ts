import { declareCommand } from "../command.ts";
import { answerOptions } from "../output/answer.ts";
import { stateOptions } from "../sources/options.ts";
import { limitOption } from "../sources/paging.ts";

export const log = declareCommand({
  name: "log",
  description:
    "List recorded changes of a node, fact, package or resource, newest first, or the commonest of all nodes",
  args: {
    of: {
      type: "positional",
      required: false,
      description: "Certname, fact or path of a fact, package, or TYPE[TITLE]; with --commonest: certname",
    },
    certname: { type: "positional", required: false, description: "On this node only" },
    since: { type: "string", valueHint: "TIME", description: "Since TIME or in the last DURATION (2h, 7d)" },
    until: { type: "string", valueHint: "TIME", description: "Before TIME, or before the last DURATION" },
    current: {
      type: "boolean",
      description: "Show since when a resource of a node is as it is: by parameter, with code version and run",
    },
    commonest: { type: "boolean", description: "Count equal changes, the most frequent first" },
    ...stateOptions,
    ...answerOptions,
    limit: limitOption,
  },
  examples: [
    "log berth-0024.tollhouse.saltmarsh.example --since 2d --data /var/lib/census",
    "log --commonest --since 7d --until 1d --limit 20 --data /var/lib/census",
    "log --current 'File[/etc/chrony/chrony-7.conf]' berth-0024 --data /var/lib/census",
    "log os.release.full --data /var/lib/census",
    "log 'File[/etc/chrony/chrony-7.conf]' --since 4w --output ndjson --data /var/lib/census",
  ],
  run: async ({ args }) => {
    const [{ logForm }, { commonestForm }, { currentForm }, { runShortForm }, { UsageError }] = await Promise.all([
      import("../short-forms/log.ts"),
      import("../short-forms/commonest-changes.ts"),
      import("../short-forms/current.ts"),
      import("../short-forms/run.ts"),
      import("../errors.ts"),
    ]);
    const { of } = args;
    if (args.current === true) {
      // They may be typed in any order.
      const [resource, certname] = of?.includes("[") === true ? [of, args.certname] : [args.certname, of];
      const others = (["since", "until", "commonest", "limit"] as const).find((name) => args[name] !== undefined);
      if (others !== undefined) throw new UsageError(`log: --current and --${others} cannot be used together`);
      if (resource === undefined || certname === undefined) {
        throw new UsageError("log: --current needs a resource and a certname: 'File[/etc/motd]' web-01");
      }
      return runShortForm(currentForm({ ...args, certname, resource }), args);
    }
    if (args.commonest === true) {
      if (args.certname !== undefined) throw new UsageError("log: --commonest takes a certname, or nothing");
      return runShortForm(commonestForm({ ...args, certname: of }), args);
    }
    if (of === undefined)
      throw new UsageError("log: a certname, fact, package or resource is missing; or use --commonest");
    await runShortForm(logForm({ ...args, of }), args);
  },
});

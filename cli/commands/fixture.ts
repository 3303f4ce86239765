import { usualActiveNodes, usualPopulation } from "#fixtures/base.ts";
import { declareCommand } from "../command.ts";
import { UsageError } from "../errors.ts";
import type { AfterFailure } from "../fixture/after-failure.ts";
import type { Content } from "../fixture/content.ts";
import { nowOption, portOption, readNow, readPort } from "../options.ts";
import { stdout } from "../stdout.ts";

const { seed } = usualPopulation;

export const fixture = declareCommand({
  name: "fixture",
  description: "Run a command against a test server with generated data",
  args: {
    command: {
      type: "positional",
      required: false,
      description:
        "Command to run, after --; CENSUS_URL is set and its exit code returned (default: serve until stopped)",
    },
    nodes: {
      type: "string",
      valueHint: "N",
      description: `Generate N active nodes; one node in 30 is deactivated (default: ${usualActiveNodes})`,
    },
    seed: { type: "string", valueHint: "N", description: `Seed of the generated data (default: ${seed})` },
    archive: { type: "string", valueHint: "FILE", description: "Load an exported archive instead" },
    from: {
      type: "string",
      valueHint: "FOLDER",
      description: "Load a directory of JSON files instead: facts/<certname>.json, catalogs/…, reports/…, or commands",
    },
    port: { ...portOption, description: `${portOption.description} (default: 0)` },
    now: {
      ...nowOption,
      description: `${nowOption.description} (default: the time of the data)`,
    },
    "allow-sql": {
      type: "boolean",
      description: "Answer read-only SQL (census sql --url), as a server with this setting does",
    },
    "ready-file": {
      type: "string",
      valueHint: "FILE",
      description:
        "When ready, write url, explorer, port, pid, nodes, inactiveNodes and now to FILE as JSON; removed on exit",
    },
    hold: {
      type: "boolean",
      description: "Go on serving after the command failed, and print the explorer's address, until a signal",
    },
    "export-on-failure": {
      type: "string",
      valueHint: "FILE",
      description: "Export the data to an archive when the command failed; census open FILE serves it",
    },
  },
  repeats: true,
  examples: [
    "fixture --nodes 50 --seed 7 -- npm test",
    "fixture --from test/nodes --now 2026-11-20T12:00:00Z -- pytest",
    "fixture --from test/nodes --export-on-failure failed.tgz -- npm test",
    "fixture --archive export.tgz --ready-file census.json",
  ],
  run: async ({ args, after }) => {
    const command = commandOf(after, args._);
    const content = contentOf(args);
    const now = readNow(args.now)?.now();
    const port = readPort(args.port ?? "0");
    const afterwards: AfterFailure = { hold: args.hold === true, exportTo: args["export-on-failure"] };
    await checkAfterwards(command, afterwards);
    const [{ openFixture }, { configureLog }] = await Promise.all([import("../fixture/open.ts"), import("../log.ts")]);
    await configureLog();
    const opened = await openFixture({ content, port, now, sql: args["allow-sql"] === true });
    try {
      const { readyLine, writeReadyFile } = await import("../fixture/ready.ts");
      const line = readyLine(opened);
      const readyFile: string | undefined = args["ready-file"];
      if (readyFile !== undefined) writeReadyFile(readyFile, line);
      if (command !== undefined) {
        const { environmentFor, runChild } = await import("../fixture/child.ts");
        const { code, isStopped } = await runChild(command, environmentFor(opened.url));
        if (code !== 0 && !isStopped)
          await (await import("../fixture/after-failure.ts")).afterFailure(opened, code, afterwards);
        return code;
      }
      const { stopSignal } = await import("../signals.ts");
      const stopped = stopSignal(["SIGINT", "SIGTERM", "SIGHUP"]);
      await stdout.write(line);
      await stopped;
      return 0;
    } finally {
      await opened.close();
    }
  },
});

/** The command after `--`, if there is one. */
function commandOf(after: readonly string[] | undefined, given: readonly string[]): readonly string[] | undefined {
  if (given.length > (after ?? []).length) {
    const [first] = given;
    throw new UsageError(
      `fixture: unexpected argument ${JSON.stringify(first)}; put the command after --: -- ${first} …`,
    );
  }
  if (after?.length === 0) throw new UsageError("fixture: missing command after --");
  return after;
}

async function checkAfterwards(
  command: readonly string[] | undefined,
  { hold, exportTo }: AfterFailure,
): Promise<void> {
  if (command === undefined && (hold || exportTo !== undefined)) {
    throw new UsageError(`fixture: --${hold ? "hold" : "export-on-failure"} needs a command after --`);
  }
  if (exportTo !== undefined) await (await import("../fixture/after-failure.ts")).checkExportPath(exportTo);
}

type ContentOptions = Readonly<Record<"nodes" | "seed" | "archive" | "from", string | undefined>>;

function contentOf(options: ContentOptions): Content {
  const { archive, from } = options;
  const given = (["archive", "from"] as const).filter((name) => options[name] !== undefined);
  const made = (["nodes", "seed"] as const).filter((name) => options[name] !== undefined);
  if (given.length > 0 && given.length + made.length > 1) {
    const [first, second] = [...given, ...made];
    throw new UsageError(`fixture: --${first} and --${second} cannot be used together`);
  }
  if (archive !== undefined) return { kind: "archive", path: archive };
  if (from !== undefined) return { kind: "folder", path: from };
  return {
    kind: "population",
    // Each node takes about 100 kB of memory.
    activeNodes: wholeNumber("nodes", options.nodes, usualActiveNodes, 100_000),
    seed: wholeNumber("seed", options.seed, seed, 2 ** 31 - 1),
  };
}

function wholeNumber(name: string, text: string | undefined, otherwise: number, most: number): number {
  if (text === undefined) return otherwise;
  if (/^\d{1,10}$/.test(text) && Number(text) <= most) return Number(text);
  throw new UsageError(`fixture: --${name} must be a whole number from 0 to ${most}, not ${JSON.stringify(text)}`);
}

import { declareCommand } from "../command.ts";
import { archiveArgument, defaultPort, nowOption, portOption, readNow, readPort } from "../options.ts";
import { sourceOptions } from "../sources/options.ts";

/** How many ports above the default one are tried without `--port`. */
const ALTERNATIVES = 100;

/** Its archive is an argument, so there is no group of options for the source. */
const { group: _, ...cache } = sourceOptions.cache;

export const open = declareCommand({
  name: "open",
  description: "Serve an exported archive over HTTP, and show it in the browser",
  args: {
    archive: { ...archiveArgument, description: `${archiveArgument.description}; several of a site become history` },
    port: {
      ...portOption,
      description: `${portOption.description} (default: ${defaultPort}, or the next free one)`,
    },
    browser: {
      type: "boolean",
      default: true,
      description: "Show the explorer in the browser: from a terminal with a display, not over SSH",
      negativeDescription: "Do not start a browser",
    },
    against: {
      type: "string",
      valueHint: "OLD",
      description: "An older archive to compare with: the explorer shows what differs",
    },
    cache,
    now: { ...nowOption, description: `${nowOption.description} (default: the time of the archive)` },
  },
  repeats: true,
  examples: [
    "open export.tgz",
    "open last-week.tgz export.tgz",
    "open export.tgz --port 9000 --no-browser",
    "open new.tgz --against old.tgz",
  ],
  run: async ({ args }) => {
    const clock = readNow(args.now);
    const wanted: string | undefined = args.port;
    const port = wanted === undefined ? defaultPort : readPort(wanted);
    const [{ serveArchive }, { configureLog }] = await Promise.all([
      import("../serve-archive.ts"),
      import("../log.ts"),
    ]);
    await configureLog();
    await serveArchive({
      archives: args._,
      against: args.against,
      port,
      alternatives: wanted === undefined ? ALTERNATIVES : 0,
      clock,
      isCached: args.cache,
      showsBrowser: args.browser,
    });
  },
});

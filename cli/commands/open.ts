import { FileInUse } from "#storage/engine/file-in-use.ts";
import { CensusError } from "#storage/errors.ts";
import { declareCommand } from "../command.ts";
import { archiveArgument, defaultPort, nowOption, portOption, readNow, readPort } from "../options.ts";
import { UsageError } from "../errors.ts";
import { isOrigin } from "../sources/recognised.ts";
import { contactOptions } from "../sources/contact-options.ts";
import { sourceOptions } from "../sources/options.ts";

/** Longer than a server keeps reports. */
const EVER = "3650d";

const { cacert, cert, key, token } = contactOptions;

/** Its archive is an argument, so there is no group of options for the source. */
const { group: _, ...cache } = sourceOptions.cache;

export const open = declareCommand({
  name: "open",
  description: "Show an exported archive, or a running PuppetDB or Census, in the browser, and serve it over HTTP",
  args: {
    archive: {
      ...archiveArgument,
      description: `${archiveArgument.description}; several of a site become history; or URLs of servers, which are copied and followed`,
    },
    cacert,
    cert,
    key,
    token,
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
    "open https://pdb.example.com:8081 --cacert ca.pem --cert me.pem --key me-key.pem",
  ],
  run: async ({ args }) => {
    const clock = readNow(args.now);
    const wanted: string | undefined = args.port;
    const port = wanted === undefined ? defaultPort : readPort(wanted);
    if (args._.some(isOrigin)) return openServers(args);
    const [{ serveArchive }, { configureLog }] = await Promise.all([
      import("../serve-archive.ts"),
      import("../log.ts"),
    ]);
    await configureLog();
    await serveArchive({
      archives: args._,
      against: args.against,
      port,
      alternatives: wanted === undefined ? 100 : 0,
      clock,
      isCached: args.cache,
      showsBrowser: args.browser,
    });
    return 0;
  },
});

interface ServerArguments {
  readonly _: readonly string[];
  readonly port?: string | undefined;
  readonly against?: string | undefined;
  readonly now?: string | undefined;
  readonly cache?: boolean;
  readonly browser?: boolean;
  readonly cacert?: string | undefined;
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
  readonly token?: string | undefined;
}

/** Shows a copy of servers, which is kept for the next time; all of it, however old. */
async function openServers(args: ServerArguments): Promise<number> {
  const { _: urls, against, now, cache: isCached = true, browser = true, port } = args;
  if (!urls.every(isOrigin)) throw new UsageError("open: servers and archives cannot be shown together");
  if (against !== undefined) throw new UsageError("open: --against needs an archive");
  if (now !== undefined) throw new UsageError("open: --now needs an archive; a server has its own clock");
  const [{ copyEntry }, { cacheLimit }, { followCommand }] = await Promise.all([
    import("../cache/entries.ts"),
    import("../cache/place.ts"),
    import("../origins/command.ts"),
  ]);
  const copy = isCached ? await copyEntry(urls.join(" "), cacheLimit()) : undefined;
  const opened = followCommand({
    urls,
    directory: copy?.folder,
    contact: args,
    port,
    acceptsLoss: false,
    mode: "serve",
    showsBrowser: browser,
    flags: { "report-ttl": EVER, "resource-events-ttl": EVER },
  });
  return opened.catch((error: unknown) => {
    if (!(error instanceof FileInUse)) throw error;
    const remedy = "use the address that it printed, or --no-cache for a copy in memory";
    throw new CensusError("bad-file", `${error.problem}, which shows ${urls.join(" ")} already; ${remedy}`);
  });
}

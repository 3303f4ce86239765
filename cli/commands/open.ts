import { declareCommand } from "../command.ts";
import { archiveArgument, defaultPort, nowOption, portOption, readNow, readPort } from "../options.ts";
import { sourceOptions } from "../sources/options.ts";
import { stdout } from "../stdout.ts";

/** How many ports above the default one are tried without `--port`. */
const ALTERNATIVES = 100;

export const open = declareCommand({
  name: "open",
  description: "Serve an exported archive over HTTP",
  args: {
    archive: archiveArgument,
    port: {
      ...portOption,
      description: `${portOption.description} (default: ${defaultPort}, or the next free one)`,
    },
    browser: {
      type: "boolean",
      default: true,
      description: "Accepted for later versions: there is no web page yet, so no browser is opened",
      negativeDescription: "Do not open a browser (none is opened in this version)",
    },
    cache: sourceOptions.cache,
    now: { ...nowOption, description: `${nowOption.description} (default: the time of the archive)` },
  },
  examples: ["open export.tgz", "open export.tgz --port 9000 --no-browser"],
  run: async ({ args }) => {
    const now = readNow(args.now);
    const wanted: string | undefined = args.port;
    const port = wanted === undefined ? defaultPort : readPort(wanted);
    const [{ openArchive }, { openAndPreload }, { configureLog }, { announceArchive }, { formatTimestamp }] =
      await Promise.all([
        import("../sources/archive.ts"),
        import("../open-and-preload.ts"),
        import("../log.ts"),
        import("../announcement.ts"),
        import("#storage/time.ts"),
      ]);
    await configureLog();
    const {
      store,
      listening: { listen, serveUntilStopped },
    } = await openAndPreload(async () => (await openArchive(args.archive, { clock: now, cached: args.cache })).store);
    try {
      const service = await listen({
        store,
        plain: { host: "127.0.0.1", port },
        alternatives: wanted === undefined ? ALTERNATIVES : 0,
      });
      if (wanted === undefined && !service.url.endsWith(`:${port}`)) {
        process.stderr.write(`census: port ${port} is in use; listening on ${service.url}\n`);
      }
      const announcement = announceArchive(service.url, args.archive, formatTimestamp(store.clock.now()));
      await serveUntilStopped(service, () => stdout.write(announcement));
    } finally {
      await store.close();
    }
  },
});

import { logCommands } from "../command-log.ts";
import { declareCommand } from "../command.ts";
import { UsageError } from "../errors.ts";
import { dataOption, defaultDataDirectory, defaultPort, nowOption, portOption, readNow, readPort } from "../options.ts";
import { stdout } from "../stdout.ts";

export const serve = declareCommand({
  name: "serve",
  description: "Take in commands and answer queries over HTTP",
  args: {
    data: dataOption,
    memory: { type: "boolean", description: "Keep everything in memory: gone when the program ends" },
    port: { ...portOption, default: String(defaultPort) },
    host: { type: "string", valueHint: "ADDRESS", default: "127.0.0.1", description: "Address to listen on" },
    now: nowOption,
  },
  examples: ["serve --data /var/lib/census", "serve --memory --port 0 --now 2026-11-20T12:00:00Z"],
  run: async ({ args }) => {
    const data: string | undefined = args.data;
    const { memory, host } = args;
    if (memory && data !== undefined) throw new UsageError("serve: --data and --memory exclude each other");
    const port = readPort(args.port);
    const clock = readNow(args.now);
    const [{ Store }, { listen, serveUntilStopped }, { log }] = await Promise.all([
      import("#storage/store.ts"),
      import("../listening.ts"),
      import("../log.ts"),
    ]);
    const store = await Store.open({
      ...(memory ? {} : { directory: data ?? defaultDataDirectory() }),
      ...(clock === undefined ? {} : { clock }),
      onCommand: logCommands(log),
    });
    try {
      const service = await listen({ store, host, port });
      await stdout.write(`Census is ready on ${service.url}\n`);
      await serveUntilStopped(service);
    } finally {
      await store.close();
    }
  },
});

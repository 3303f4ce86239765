import { declareCommand } from "../command.ts";
import { UsageError } from "../errors.ts";
import { oneServerOptions } from "../service-config.ts";
import { stdout } from "../stdout.ts";

export const backup = declareCommand({
  name: "backup",
  description: "Back up the store of a server or a data directory to a file",
  args: {
    file: { type: "positional", required: true, valueHint: "FILE", description: "File to write; it must not exist" },
    ...oneServerOptions,
    data: {
      type: "string",
      valueHint: "DIR",
      description: "Back up this data directory instead; no server may have it open",
      group: "source",
    },
  },
  examples: [
    "backup census-2026-11-20.duckdb",
    "backup census.duckdb --url https://census.example.com:8081 --cert cert.pem --key key.pem --cacert ca.pem",
    "backup nightly.duckdb --data /var/lib/census",
  ],
  run: async ({ args }) => {
    const { file, data, url, config } = args as { file: string } & { [name: string]: string | undefined };
    const other = Object.entries({ url, config }).find(([, value]) => value !== undefined);
    if (data !== undefined && other !== undefined)
      throw new UsageError(`backup: --data and --${other[0]} cannot be used together`);
    const { backUpDirectory, backUpServer } = await import("../backup.ts");
    const bytes = data === undefined ? await backUpServer(args, file) : await backUpDirectory(data, file);
    await stdout.write(`Backed up the store to ${file} (${(bytes / 1e6).toFixed(1)} MB)\n`);
  },
});

import { declareCommand } from "../command.ts";
import { dataOption, outputOption, readSeconds } from "../options.ts";
import { printObject } from "../output/print.ts";
import { oneServerOptions } from "../service-config.ts";
import type { ServiceArguments } from "../sources/contact-options.ts";

/** Seconds a server may take to answer. */
const TIMEOUT = 10;

export const status = declareCommand({
  name: "status",
  description: "Show server health; exit code 0 only if it is running",
  args: {
    ...oneServerOptions,
    data: { ...dataOption, description: "Show the files of this data directory too" },
    timeout: { type: "string", valueHint: "SECONDS", description: `Time limit (default: ${TIMEOUT})` },
    output: outputOption("table", "json"),
  },
  examples: [
    "status",
    "status --data /var/lib/census --output table",
    "status --url https://census.example.com:8081 --cert cert.pem --key key.pem --cacert ca.pem",
  ],
  run: async ({ args }) => {
    const { data, timeout } = args as { [name: string]: string | undefined };
    const seconds = readSeconds("--timeout", timeout ?? String(TIMEOUT));
    const [{ oneServer }, { nameOf }, { serviceFigures }, { statusText }] = await Promise.all([
      import("../sources/contact.ts"),
      import("../sources/http.ts"),
      import("../status/service-figures.ts"),
      import("../status/status-text.ts"),
    ]);
    const contact = await oneServer(args);
    const directory = data === undefined ? await configuredFigures(args) : await figuresOf(data);
    const status = { url: nameOf(contact.urls[0]), ...(await serviceFigures(contact, seconds)), directory };
    await printObject(status, statusText(status), args.output);
    return status.state === "running" ? 0 : 1;
  },
});

/** The data directory that the configuration names, if this user may read it; null where there is none. */
async function configuredFigures(args: ServiceArguments) {
  const { serviceDirectory } = await import("../configured.ts");
  const directory = await serviceDirectory(args);
  return directory === undefined ? null : figuresOf(directory).catch(() => null);
}

async function figuresOf(directory: string) {
  const { directoryFigures } = await import("../status/directory-figures.ts");
  return directoryFigures(directory);
}

import { readNamedFile } from "#app/listeners/named-file.ts";
import { declareCommand } from "../command.ts";
import { UsageError } from "../errors.ts";
import { dataOption } from "../options.ts";
import type { Contact } from "../status/fetch.ts";
import { stdout } from "../stdout.ts";

/** Seconds that a server may take to tell its state. */
const PATIENCE = 10;

const certificate = (whose: string) => ({ type: "string", valueHint: "FILE", description: `${whose}, PEM` }) as const;

export const status = declareCommand({
  name: "status",
  description: "Ask a running server how it is; exit code 0 only when it is running",
  args: {
    url: {
      type: "string",
      valueHint: "URL",
      description: "The server (Default: $CENSUS_URL, else http://127.0.0.1:8080)",
    },
    data: { ...dataOption, description: "Look into this data directory as well, server or not" },
    "ssl-cert": certificate("Certificate to show to the server"),
    "ssl-key": certificate("Its private key"),
    "ssl-ca-cert": certificate("The authority that the server is known by"),
    timeout: { type: "string", valueHint: "SECONDS", description: `How long it may take (Default: ${PATIENCE})` },
    output: {
      type: "enum",
      options: ["table", "json"],
      description: "Layout of the answer (Default: table on a terminal, json in a pipe)",
    },
  },
  examples: [
    "status",
    "status --data /var/lib/census --output table",
    "status --url https://census.example.com:8081 --ssl-cert cert.pem --ssl-key key.pem --ssl-ca-cert ca.pem",
  ],
  run: async ({ args }) => {
    const { url: given, data, timeout, output } = args as { [name: string]: string | undefined };
    const files = { cert: args["ssl-cert"], key: args["ssl-key"], ca: args["ssl-ca-cert"] };
    const url = readUrl(given ?? (process.env["CENSUS_URL"] || "http://127.0.0.1:8080"));
    const contact = { url, timeout: readTimeout(timeout), ...(await identityOf(files)) };
    const [{ serviceFigures }, { statusText }] = await Promise.all([
      import("../status/service-figures.ts"),
      import("../status/status-text.ts"),
    ]);
    const directory = data === undefined ? null : await lookInto(data);
    const told = { url: url.href.replace(/\/$/, ""), ...(await serviceFigures(contact)), directory };
    const isTable = (output ?? (process.stdout.isTTY ? "table" : "json")) === "table";
    await stdout.write(isTable ? statusText(told) : `${JSON.stringify(told, null, 2)}\n`);
    return told.state === "running" ? 0 : 1;
  },
});

async function lookInto(directory: string) {
  const { directoryFigures } = await import("../status/directory-figures.ts");
  return directoryFigures(directory);
}

function readUrl(text: string): URL {
  const url = URL.parse(text);
  if (url !== null && /^https?:$/.test(url.protocol)) return url;
  throw new UsageError(`--url must be an address such as http://127.0.0.1:8080, not ${JSON.stringify(text)}`);
}

function readTimeout(text = String(PATIENCE)): number {
  const seconds = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : 0;
  if (seconds > 0) return seconds;
  throw new UsageError(`--timeout must be a number of seconds above 0, not ${JSON.stringify(text)}`);
}

type Identity = Pick<Contact, "cert" | "key" | "ca">;

/** @throws CensusError "bad-file" naming the option and its file */
async function identityOf(files: Readonly<Record<keyof Identity, string | undefined>>): Promise<Identity> {
  const options = { cert: "--ssl-cert", key: "--ssl-key", ca: "--ssl-ca-cert" } as const;
  const read = Object.entries(files).flatMap(([name, path]) =>
    path === undefined ? [] : [readNamedFile(options[name as keyof Identity], path).then((text) => [name, text])],
  );
  return Object.fromEntries(await Promise.all(read)) as Identity;
}

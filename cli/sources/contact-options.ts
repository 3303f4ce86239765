import type { StringArgDef } from "citty";
import type { ArgumentsOf, InGroup } from "../option-groups.ts";

const file = (description: string): StringArgDef & { type: "string" } & InGroup => ({
  type: "string",
  valueHint: "FILE",
  description,
  group: "source",
});

/** The options for the server and the client's identity, named as in `puppet query` and `puppet db`. */
export const contactOptions = {
  url: {
    type: "string",
    valueHint: "URL",
    description:
      "Server to use, Census or PuppetDB (default: $CENSUS_URL, else the service that /etc/census/conf.d configures, else from --client-config, else http://127.0.0.1:8080)",
    group: "source",
  },
  urls: {
    type: "string",
    valueHint: "URL,URL",
    description: "Several servers; the first that responds is used",
    group: "source",
  },
  cacert: file("CA certificate that signed the server's certificate, PEM"),
  cert: file("Client certificate, PEM"),
  key: file("Private key of the client certificate, PEM"),
  token: file("File with the authentication token"),
  "client-config": file(
    "Configuration of puppetdb_cli (default: ~/.puppetlabs/client-tools/puppetdb.conf, else the one in /etc/puppetlabs)",
  ),
} as const;

/** The values of {@link contactOptions}. */
export type ContactArguments = ArgumentsOf<typeof contactOptions>;

/** The options of a command line that select a service. */
export interface ServiceArguments extends ContactArguments {
  readonly config?: string | undefined;
}

/** Whether a server is named by its address: an option before the configuration, the variable before the default one. */
export function namesServer(
  { url, urls, config, "client-config": client }: ServiceArguments,
  env: NodeJS.ProcessEnv,
): boolean {
  if (url !== undefined || urls !== undefined) return true;
  return config === undefined && ((env["CENSUS_URL"] ?? "") !== "" || client !== undefined);
}

import type { StringArgDef } from "citty";

const file = (description: string): StringArgDef & { type: "string" } => ({
  type: "string",
  valueHint: "FILE",
  description,
});

/** The options that say which server is asked, and as whom; those of `puppet query` and `puppet db` by the same names. */
export const contactOptions = {
  url: {
    type: "string",
    valueHint: "URL",
    description:
      "Ask a running server, Census or PuppetDB (Default: $CENSUS_URL, else that of --client-config, else http://127.0.0.1:8080)",
  },
  urls: { type: "string", valueHint: "URL,URL", description: "Several servers; the first that answers is asked" },
  cacert: file("The authority that the server is known by, PEM"),
  cert: file("Certificate to show to the server, PEM"),
  key: file("Its private key, PEM"),
  token: file("File with a token to show to the server"),
  "client-config": file(
    "Settings of puppetdb_cli (Default: ~/.puppetlabs/client-tools/puppetdb.conf, else that below /etc/puppetlabs)",
  ),
} as const;

/** What a command line said with {@link contactOptions}. */
export interface ContactArguments {
  readonly url?: string | undefined;
  readonly urls?: string | undefined;
  readonly cacert?: string | undefined;
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
  readonly token?: string | undefined;
  readonly "client-config"?: string | undefined;
}

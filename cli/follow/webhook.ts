import { createHmac } from "node:crypto";
import { readFile } from "node:fs/promises";
import { readNamedFile } from "#app/listeners/named-file.ts";
import { CensusError, messageOf } from "#storage/errors.ts";
import { version } from "#app/version.ts";
import { UsageError } from "../errors.ts";
import { nameOf, send, Unreachable } from "../sources/http.ts";
import { type Change, changeJson } from "./row-changes.ts";

/** Bytes of a secret, at least: a shorter one can be guessed. */
const SHORTEST_SECRET = 16;

const VARIABLE = "CENSUS_WEBHOOK_SECRET";

/** Where changes are posted, and the key that they are signed with. */
export interface Webhook {
  readonly url: URL;
  readonly secret: Uint8Array;
  /** PEM of the CA that signed the receiver's certificate; undefined: those that Node.js trusts. */
  readonly ca: string | undefined;
}

/** The files of a webhook. */
export interface WebhookFiles {
  /** The secret; default: the variable CENSUS_WEBHOOK_SECRET. */
  readonly secret: string | undefined;
  readonly cacert: string | undefined;
}

/**
 * @param files paths
 * @throws UsageError for an invalid address, or where there is no secret
 */
export async function readWebhook(
  address: string,
  { secret: secretFile, cacert }: WebhookFiles,
  env: NodeJS.ProcessEnv = process.env,
): Promise<Webhook> {
  const url = URL.parse(address);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new UsageError(
      `--webhook must be a URL such as https://hooks.example.com/census, not ${JSON.stringify(address)}`,
    );
  }
  if (cacert !== undefined && url.protocol === "http:") {
    throw new UsageError("watch: --webhook-cacert needs a --webhook of https");
  }
  const text = secretFile === undefined ? env[VARIABLE] : await readSecret(secretFile);
  const where = secretFile ?? VARIABLE;
  if (text === undefined || text.trim() === "") {
    throw new UsageError(`watch: --webhook needs a secret to sign with, in --secret FILE or in ${VARIABLE}`);
  }
  const secret = secretBytes(text.trim());
  if (secret.length < SHORTEST_SECRET) {
    throw new UsageError(`watch: the secret in ${where} must have ${SHORTEST_SECRET} bytes at least`);
  }
  return { url, secret, ca: cacert === undefined ? undefined : await readNamedFile("--webhook-cacert", cacert) };
}

async function readSecret(path: string): Promise<string> {
  return readFile(path, "utf8").catch((error: unknown) => {
    throw new CensusError("bad-file", `--secret: ${path}: cannot be read: ${messageOf(error)}`, { cause: error });
  });
}

/** After `whsec_` a secret is Base64, as other senders of webhooks write it; else it is a text. */
function secretBytes(text: string): Uint8Array {
  const prefix = "whsec_";
  return text.startsWith(prefix) ? Buffer.from(text.slice(prefix.length), "base64") : Buffer.from(text);
}

/** The headers of a signed request (`docs/watch.md` says how to check them). @param seconds the present time */
function signedHeaders(secret: Uint8Array, id: string, seconds: number, body: string): Record<string, string> {
  const signature = createHmac("sha256", secret).update(`${id}.${seconds}.${body}`).digest("base64");
  return {
    "webhook-id": id,
    "webhook-timestamp": String(seconds),
    "webhook-signature": `v1,${signature}`,
  };
}

/** Posts a change once. @throws CensusError when the receiver has not answered 2xx */
export async function postChange({ url, secret, ca }: Webhook, change: Change): Promise<void> {
  const body = changeJson(change);
  const headers = {
    "content-type": "application/json",
    "content-length": String(Buffer.byteLength(body)),
    "user-agent": `census/${version}`,
    ...signedHeaders(secret, change.id, Math.floor(Date.now() / 1000), body),
  };
  const contact = { urls: [new URL(url.origin)] as const, ...(ca === undefined ? {} : { ca }) };
  const inquiry = { path: url.pathname + url.search, method: "POST", headers, body } as const;
  const sent = send(contact, { ...inquiry, signal: AbortSignal.timeout(30_000) });
  const { response } = await sent.catch((error: unknown) => {
    const reason = error instanceof Unreachable ? error.reason : messageOf(error);
    throw new CensusError("bad-file", `${nameOf(url)}: ${reason.replace("--cacert", "--webhook-cacert")}`, {
      cause: error,
    });
  });
  const { statusCode: status = 0 } = response;
  response.destroy();
  if (status < 200 || status > 299) throw new CensusError("bad-file", `${nameOf(url)} returned HTTP ${status}`);
}

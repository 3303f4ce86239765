import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { startServer } from "#test/cli/census.ts";
import { temporaryFolder } from "#test/fixture-folder.ts";
import { makeAuthorities } from "./authorities.ts";

/** The files of somebody who has a certificate. */
export interface Credentials {
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
}

/** A site as clients find it: an authority with RSA keys, which octocatalog-diff insists on, and Census with TLS. */
export interface Site extends AsyncDisposable {
  readonly plain: string;
  /** By the name that the server's certificate has. */
  readonly tls: string;
  /** Of the site's authority, and on its allowlist where it has one. */
  readonly member: Credentials;
  /** Of the site's authority, and on no list. */
  readonly guest: Credentials;
  /** Of another authority. */
  readonly stranger: Credentials;
}

const MEMBER = "member.example.com";

/**
 * Starts `census serve` with an empty store in memory, plain and with TLS, both on free ports.
 * @param words further arguments; `allowlist` in them represents a file that names the member only
 */
export async function openSite(words: readonly string[] = []): Promise<Site> {
  const folder = await temporaryFolder();
  const file = (name: string): string => join(folder.path, name);
  await makeAuthorities(folder.path, {
    ca: { server: "localhost", member: MEMBER, guest: "guest.example.com" },
    "other-ca": { stranger: MEMBER },
  });
  await writeFile(file("allowlist"), `${MEMBER}\n`);
  const listening = ["serve", "--memory", "--port", "0", "--ssl-host", "localhost", "--ssl-port", "0"];
  const files = [
    "--ssl-cert",
    file("server.pem"),
    "--ssl-key",
    file("server-key.pem"),
    "--ssl-ca-cert",
    file("ca.pem"),
  ];
  const more = words.map((word) => (word === "allowlist" ? file(word) : word));
  const server = await startServer([...listening, ...files, ...more]);
  const [tls] = /https:\S+/.exec(server.said()) ?? [];
  if (tls === undefined) throw new Error(`no TLS listener: ${server.said()}`);
  const credentials = (name: string): Credentials => ({
    ca: file("ca.pem"),
    cert: file(`${name}.pem`),
    key: file(`${name}-key.pem`),
  });
  return {
    plain: server.url,
    tls,
    member: credentials("member"),
    guest: credentials("guest"),
    stranger: credentials("stranger"),
    [Symbol.asyncDispose]: async () => {
      await server.stop();
      await folder[Symbol.asyncDispose]();
    },
  };
}

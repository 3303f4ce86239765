import { isBelow } from "../http/paths.ts";
import { readNamedFile } from "../listeners/named-file.ts";
import { type Check, clientOf } from "./check.ts";

/** Everything below these shows stored data: the interface of PuppetDB, and the explorer's pages and endpoints. */
const guarded = ["/pdb", "/explorer"] as const;

/**
 * `certificate-allowlist` (`reference/http.md §7.3`): the certificates, by common name, that may use the guarded paths.
 * Requests over plain HTTP pass, as they have no certificate, and so do tokens and people, which are judged by their role.
 * @param source the file, for the log
 */
export function allowlist(names: ReadonlySet<string>, source: string): Check {
  return (facts) => {
    const { path, listener, certname, subject } = facts;
    if (listener !== "tls" || subject !== undefined || !guarded.some((prefix) => isBelow(path, prefix)))
      return undefined;
    if (certname !== undefined && names.has(certname)) return undefined;
    return {
      text: denial(certname ?? "null"),
      reason: `${clientOf(facts)} is not in ${source}`,
    };
  };
}

/**
 * The names in an allowlist file, one a line.
 * @throws CensusError "bad-file" when it cannot be read
 */
export async function readAllowlist(path: string): Promise<ReadonlySet<string>> {
  const lines = (await readNamedFile("certificate-allowlist", path)).split("\n").map((line) => line.trim());
  return new Set(lines.filter((line) => line !== ""));
}

/** Word for word as PuppetDB, with its missing apostrophe: clients print it, and users search for it. */
function denial(certname: string): string {
  return (
    `Permission denied: The client certificate name ${certname} doesnt appear in the certificate allowlist. ` +
    "Is your master's (or other PuppetDB client's) certname listed in PuppetDB's certificate-allowlist file?"
  );
}

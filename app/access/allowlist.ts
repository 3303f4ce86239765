import { readNamedFile } from "../listeners/named-file.ts";
import { isBelow } from "./families.ts";
import type { Check } from "./refusal.ts";

/**
 * `certificate-allowlist` (`reference/http.md §7.3`): who may use what is below `/pdb`, by the common names of
 * certificates, compared whole. What comes over plain HTTP passes: there is nobody to be known there.
 * @param source the file, for the log
 */
export function allowlist(names: ReadonlySet<string>, source: string): Check {
  return ({ path, listener, certname }) => {
    if (listener === "plain" || !isBelow(path, "/pdb")) return undefined;
    if (certname !== undefined && names.has(certname)) return undefined;
    return {
      text: denial(certname ?? "null"),
      reason: `${certname ?? "a client without a certificate"} is not in ${source}`,
    };
  };
}

/**
 * The names in an allowlist file, one a line.
 * @throws CensusError "bad-file" when it can't be read
 */
export async function readAllowlist(path: string): Promise<ReadonlySet<string>> {
  const lines = (await readNamedFile("certificate-allowlist", path)).split("\n").map((line) => line.trim());
  return new Set(lines.filter((line) => line !== ""));
}

/** Word for word, the apostrophe that is missing included: clients show it, and people look for it. */
function denial(certname: string): string {
  return (
    `Permission denied: The client certificate name ${certname} doesnt appear in the certificate allowlist. ` +
    "Is your master's (or other PuppetDB client's) certname listed in PuppetDB's certificate-allowlist file?"
  );
}

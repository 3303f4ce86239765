import { CensusError } from "#storage/errors.ts";

/** PuppetDB's default (`reference/http.md §7.2`): only authenticated encryption with forward secrecy. */
const defaultSuites = [
  "TLS_AES_128_GCM_SHA256",
  "TLS_AES_256_GCM_SHA384",
  "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
  "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
  "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
  "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
  "TLS_DHE_RSA_WITH_AES_128_GCM_SHA256",
  "TLS_DHE_RSA_WITH_AES_256_GCM_SHA384",
] as const;

/**
 * Reads `cipher-suites`: standard names, as PuppetDB spells them, or OpenSSL's. The answer is what Node's TLS takes.
 * @throws CensusError "bad-input" naming the suite that is unknown here
 */
export function readCiphers(names: readonly string[] = defaultSuites): string {
  // Load on demand: every start reads the settings, but few use TLS.
  const { getCiphers } = process.getBuiltinModule("node:tls");
  const known = new Set(getCiphers());
  return names
    .map((name) => {
      const suite = opensslName(name.trim());
      if (known.has(suite.toLowerCase())) return suite;
      throw new CensusError("bad-input", `cipher-suites: unknown cipher suite ${name.trim()}`);
    })
    .join(":");
}

/** `TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256` → `ECDHE-RSA-AES128-GCM-SHA256`; those of TLS 1.3 keep their names. */
function opensslName(name: string): string {
  const [, exchange, cipher] = /^TLS_(\w+?)_WITH_(\w+)$/.exec(name) ?? [];
  if (exchange === undefined || cipher === undefined) return name;
  const spelt = cipher
    .replace(/^(AES|CAMELLIA)_(\d+)/, "$1$2")
    .replace(/_CBC_/, "_")
    .replace(/POLY1305_SHA256$/, "POLY1305")
    .replaceAll("_", "-");
  return exchange === "RSA" ? spelt : `${exchange.replaceAll("_", "-")}-${spelt}`;
}

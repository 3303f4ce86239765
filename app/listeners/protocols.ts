import type { SecureVersion } from "node:tls";
import { CensusError } from "#storage/errors.ts";

/** Supported versions, oldest first. Older ones are insecure and never used, whatever a setting says. */
const spoken = ["TLSv1.2", "TLSv1.3"] as const satisfies readonly SecureVersion[];

/** Other versions that PuppetDB's setting may name. */
const retired: ReadonlySet<string> = new Set(["SSLv2Hello", "SSLv3", "TLSv1", "TLSv1.1"]);

/** The oldest and newest version that a listener supports. */
export interface ProtocolRange {
  readonly minVersion: SecureVersion;
  readonly maxVersion: SecureVersion;
  readonly warnings: readonly string[];
}

/**
 * Reads `ssl-protocols`. Ignores retired versions with a warning, because old configurations name them as well as
 * supported ones.
 * @throws CensusError "bad-input" when a name is unknown or none is left
 */
export function readProtocols(names: readonly string[] = spoken): ProtocolRange {
  const requested = names.map((name) => name.trim());
  const unknown = requested.find((name) => !retired.has(name) && !spoken.some((version) => version === name));
  if (unknown !== undefined) {
    throw new CensusError("bad-input", `ssl-protocols: unknown version ${unknown}; use ${spoken.join(" and ")}`);
  }
  const range = spoken.filter((version) => requested.includes(version));
  const [minVersion] = range;
  const maxVersion = range.at(-1);
  if (minVersion === undefined || maxVersion === undefined) {
    throw new CensusError("bad-input", `ssl-protocols: needs at least one of ${spoken.join(" and ")}`);
  }
  const old = requested.filter((name) => retired.has(name));
  return {
    minVersion,
    maxVersion,
    warnings: old.map((name) => `ssl-protocols: ${name} is insecure and stays disabled`),
  };
}

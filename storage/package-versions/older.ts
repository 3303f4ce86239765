import { versionKey, versionOrder } from "./version-key.ts";

/** Orders whose versions may have an epoch, and what that looks like. */
const epochs: Readonly<Record<string, RegExp>> = { dpkg: /^\d+:/, rpm: /^\d+:/, pep440: /^v?\d+!/ };

/**
 * Whether a version is older than another one that a person names. People name upstream versions: unless they give an epoch
 * (`1:3.0.7`), epochs do not count. Otherwise everything with an epoch would be newer.
 */
export function isOlder(version: string, than: string, provider: string): boolean {
  const epoch = epochs[versionOrder(provider)];
  const compared = epoch === undefined || epoch.test(than) ? version : version.trim().replace(epoch, "");
  return versionKey(compared, provider) < versionKey(than, provider);
}

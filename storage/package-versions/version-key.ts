/**
 * Orders of package versions, as keys: the key of a lower version is bytewise less, equal versions have equal keys. Pure,
 * for terminals, SQL and the browser.
 */
import { dpkgKey } from "./dpkg.ts";
import { gemKey } from "./gem.ts";
import { pep440Key } from "./pep440.ts";
import { rpmKey } from "./rpm.ts";
import { semverKey } from "./semver.ts";

/** The orders, by the tool or the specification that defines them. Undefined: not a version of this kind. */
const orders = {
  dpkg: dpkgKey,
  rpm: rpmKey,
  semver: semverKey,
  gem: gemKey,
  pep440: pep440Key,
} as const satisfies Record<string, (version: string) => string | undefined>;

export type VersionOrder = keyof typeof orders;

/** Puppet's package providers whose order is not that of dpkg. */
const byProvider: Readonly<Record<string, VersionOrder>> = {
  rpm: "rpm",
  yum: "rpm",
  dnf: "rpm",
  dnfmodule: "rpm",
  tdnf: "rpm",
  zypper: "rpm",
  rug: "rpm",
  up2date: "rpm",
  urpmi: "rpm",
  aptrpm: "rpm",
  gem: "gem",
  puppet_gem: "gem",
  puppetserver_gem: "gem",
  pip: "pep440",
  pip2: "pep440",
  pip3: "pep440",
  pipx: "pep440",
  npm: "semver",
  yarn: "semver",
  chocolatey: "semver",
};

/** The order of a provider's versions; that of dpkg, which gives any text a place, for those that have none of their own. */
export function versionOrder(provider: string): VersionOrder {
  return Object.hasOwn(byProvider, provider) ? (byProvider[provider] ?? "dpkg") : "dpkg";
}

/** The key of a version in the order of its provider. */
export function versionKey(version: string, provider: string): string {
  return orderKey(versionOrder(provider), version);
}

/** The key of a version in an order. What is no version of this kind sorts before all that are, in the order of dpkg. */
export function orderKey(order: VersionOrder, version: string): string {
  const text = version.trim();
  const key = orders[order](text);
  const sorted = key === undefined ? `0${dpkgKey(text)}` : `1${key}`;
  // Engines and JavaScript agree on the order of ASCII only.
  return sorted.replace(
    /[^\0-\x7f]/gu,
    (character) => `\x7f${(character.codePointAt(0) ?? 0).toString(16).padStart(6, "0")}`,
  );
}

import { isIPv6 } from "node:net";

/** Attempts at once, and afterwards in a minute. */
const BURST = 10;
const PER_MINUTE = 10;

/** Addresses and names that are counted, at most; the oldest are forgotten first. */
const MOST = 20_000;

/** Limits how often somebody may try a password: by address, by name, or by browser. */
export class Attempts {
  /** Remaining attempts, and when they were counted; milliseconds. */
  readonly #known = new Map<string, { readonly left: number; readonly at: number }>();

  /**
   * Counts an attempt for each of the keys, unless one of them has none left.
   * @returns seconds after which another attempt is possible; 0: this one is
   */
  admit(keys: readonly string[], now: number): number {
    const found = keys.map((key) => ({ key, left: this.#left(key, now) }));
    const missing = Math.max(...found.map(({ left }) => 1 - left));
    if (missing > 0) return Math.ceil((missing * 60) / PER_MINUTE);
    for (const { key, left } of found) {
      this.#known.delete(key);
      this.#known.set(key, { left: left - 1, at: now });
    }
    for (const key of this.#known.keys()) {
      if (this.#known.size <= MOST) break;
      this.#known.delete(key);
    }
    return 0;
  }

  /** Takes an attempt back that was right: many people of a site may come from one address. */
  refund(keys: readonly string[]): void {
    for (const key of keys) {
      const known = this.#known.get(key);
      if (known !== undefined) this.#known.set(key, { ...known, left: known.left + 1 });
    }
  }

  #left(key: string, now: number): number {
    const known = this.#known.get(key);
    return known === undefined ? BURST : Math.min(BURST, known.left + ((now - known.at) * PER_MINUTE) / 60_000);
  }
}

/** The key of an address: one customer of a network has at least a /64 of IPv6. */
export function addressKey(address: string): string {
  if (!isIPv6(address) || address.startsWith("::ffff:")) return address;
  const [head = "", tail] = address.split("::");
  const groups = head.split(":");
  if (tail === undefined) return groups.slice(0, 4).join(":");
  const missing = 8 - groups.length - tail.split(":").length;
  return [...groups, ...Array.from({ length: missing }, () => "0"), ...tail.split(":")].slice(0, 4).join(":");
}

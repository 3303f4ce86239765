import type { IncomingMessage } from "node:http";
import { BlockList, isIP } from "node:net";
import type { Refusal } from "../access/refusal.ts";
import type { Person } from "./sessions.ts";

/** Headers in which a reverse proxy says who sent a request, in lower case. */
export interface ProxyHeaders {
  readonly user: string | undefined;
  readonly groups: string | undefined;
}

/**
 * Reads addresses and networks: `10.0.0.5`, `10.0.0.0/28`, `::1`.
 * @returns whether an address is one of them
 * @throws Error naming the item that is neither
 */
export function readNetworks(items: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const item of items) {
    const [network = "", prefix, surplus] = item.split("/");
    const family = isIP(network) === 6 ? "ipv6" : "ipv4";
    const bits = prefix === undefined ? (family === "ipv6" ? 128 : 32) : Number(prefix);
    const isValid = isIP(network) !== 0 && surplus === undefined && /^\d*$/.test(prefix ?? "") && prefix !== "";
    if (!isValid || bits > (family === "ipv6" ? 128 : 32)) throw new Error(`${item} is not an address or a network`);
    list.addSubnet(network, bits, family);
  }
  return (address) => {
    const bare = address.replace(/^::ffff:(?=\d+\.)/i, "").split("%")[0] ?? "";
    const family = isIP(bare);
    return family !== 0 && list.check(bare, family === 6 ? "ipv6" : "ipv4");
  };
}

/** The client of a request that came over proxies: the last address of `X-Forwarded-For` that is none of theirs. */
export function forwardedFor(
  { headers }: IncomingMessage,
  address: string,
  isProxy: (address: string) => boolean,
): string {
  const forwarded = headers["x-forwarded-for"];
  const items = typeof forwarded === "string" ? forwarded.split(",").map((item) => item.trim()) : [];
  const client = items.findLast((item) => !isProxy(item));
  return client !== undefined && isIP(client) !== 0 ? client : address;
}

/** Whom the proxy names in a request that it passes on; a refusal where that is not clear; undefined: nobody. */
export function namedByProxy(
  { headersDistinct }: IncomingMessage,
  headers: ProxyHeaders,
): Person | Refusal | undefined {
  if (headers.user === undefined) return undefined;
  const users = headersDistinct[headers.user] ?? [];
  const groups = headers.groups === undefined ? [] : (headersDistinct[headers.groups] ?? []);
  if (users.length > 1 || groups.length > 1) {
    const text = "The headers that name the user were sent more than once";
    return { status: 400, text, reason: text };
  }
  const [name = ""] = users;
  if (name === "") return undefined;
  const list = (groups[0] ?? "").split(/[,|]/).map((group) => group.trim());
  return { kind: "proxy", name, groups: list.filter((group) => group !== "") };
}

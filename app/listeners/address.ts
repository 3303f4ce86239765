import { lookup } from "node:dns/promises";
import { BlockList, isIP } from "node:net";
import { listenError } from "./listen-error.ts";

const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8, "ipv4");
loopback.addAddress("::1", "ipv6");

/** Whether an address is a loopback address, also in the form of IPv6 for IPv4 addresses (`::ffff:127.0.0.1`). */
export function isLoopback(address: string): boolean {
  const [bare = ""] = address.split("%");
  const family = isIP(bare);
  return family !== 0 && loopback.check(bare, family === 6 ? "ipv6" : "ipv4");
}

/**
 * The address of a host to listen on, IPv4 first, as PuppetDB's clients expect of `localhost`. The checks and the
 * listener then use the same address.
 * @throws CensusError "bad-file" when the name is unknown
 */
export async function addressOf(host: string, port: number): Promise<string> {
  try {
    return (await lookup(host, { order: "ipv4first" })).address;
  } catch (error) {
    throw listenError(host, port, "", error);
  }
}

/** `http://127.0.0.1:8080`, `https://[::1]:8081`: without a slash at the end. */
export function urlOf(scheme: "http" | "https", host: string, port: number): string {
  return `${scheme}://${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
}

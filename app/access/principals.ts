import { isLoopback } from "../listeners/address.ts";
import type { RequestFacts } from "./facts.ts";

/** Clients that a policy allows: whether a request is from one of them. */
export type Principal = (facts: RequestFacts) => boolean;

/**
 * Reads a principal:
 * - `any`: every client
 * - `loopback`: clients on this machine, on either listener; that includes all clients of a proxy on this machine
 * - `/…/`: a verified certificate whose whole name fits the regular expression
 * - anything else: a verified certificate of that name, where `*` is any run of characters, dots too, and `?` is one;
 *   `*` alone is every verified certificate
 *
 * Patterns match whole names, so that `/web/` does not allow `evil-web`. Case matters, as in certificate names.
 * @throws Error whose message says what is invalid
 */
export function readPrincipal(text: string): Principal {
  if (text === "any") return () => true;
  if (text === "loopback") return ({ address }) => isLoopback(address);
  const pattern = namePattern(text);
  return ({ certname }) => certname !== undefined && pattern.test(certname);
}

function namePattern(text: string): RegExp {
  const expression = /^\/(.*)\/$/s.exec(text)?.[1];
  // Compiled on its own first, so that `a)|(?:b` is an error and cannot escape the anchors.
  if (expression !== undefined) return new RegExp(`^(?:${new RegExp(expression, "u").source})$`, "u");
  if (!/^[^\s/]+$/.test(text)) throw new Error("expected a certificate name without spaces and slashes");
  const glob = text.replaceAll(/[\\^$.+()[\]{}|]/g, "\\$&");
  return new RegExp(`^${glob.replaceAll("*", ".*").replaceAll("?", ".")}$`, "s");
}

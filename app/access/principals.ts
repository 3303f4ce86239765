import { isLoopback } from "../listeners/address.ts";
import type { RequestFacts } from "./facts.ts";

/** Somebody, or some, that a policy lets in: whether a request is theirs. */
export type Principal = (facts: RequestFacts) => boolean;

/**
 * Reads who is meant:
 * - `any`: whoever reaches the listener
 * - `loopback`: whoever is on this machine, over either listener. A proxy here makes all its clients that
 * - `/…/`: a verified certificate whose whole name fits the regular expression
 * - anything else: a verified certificate of that name, where `*` is any run of characters, dots too, and `?` is one;
 *   `*` alone is every verified certificate
 *
 * Patterns fit whole names, so that `/web/` does not let in `evil-web`. Case counts, as in certificate names.
 * @throws Error whose message says what is wrong with it
 */
export function readPrincipal(text: string): Principal {
  if (text === "any") return () => true;
  if (text === "loopback") return ({ address }) => isLoopback(address);
  const pattern = namePattern(text);
  return ({ certname }) => certname !== undefined && pattern.test(certname);
}

function namePattern(text: string): RegExp {
  const expression = /^\/(.*)\/$/s.exec(text)?.[1];
  // Read on its own first: `a)|(?:b` is an error, not a way out of the anchors.
  if (expression !== undefined) return new RegExp(`^(?:${new RegExp(expression, "u").source})$`, "u");
  if (!/^[^\s/]+$/.test(text)) throw new Error("expected a certificate name without spaces and slashes");
  const glob = text.replaceAll(/[\\^$.+()[\]{}|]/g, "\\$&");
  return new RegExp(`^${glob.replaceAll("*", ".*").replaceAll("?", ".")}$`, "s");
}

import { isLoopback } from "../listeners/address.ts";
import type { RequestFacts } from "./facts.ts";
import { type Role, roleNames } from "./roles.ts";
import type { Subject } from "./subject.ts";

/** Clients that a policy allows: whether a request is from one of them. */
export type Principal = (facts: RequestFacts) => boolean;

/** Words that are no names. */
const words: Readonly<Record<string, Principal>> = {
  any: () => true,
  loopback: ({ address, listener, certname, isForwarded }) => {
    const isHere = listener === "plain" || (listener === "tls" && certname !== undefined);
    return isHere && isForwarded !== true && isLoopback(address);
  },
  "signed-in": ({ subject }) => subject !== undefined && subject.kind !== "token",
};

/** What is before a colon, and how a subject fits what follows it. */
const prefixes: Readonly<Record<string, (pattern: RegExp, subject: Subject) => boolean>> = {
  token: named("token"),
  user: named("user"),
  sso: named("sso"),
  proxy: named("proxy"),
  group: (pattern, subject) => subject.kind !== "token" && subject.groups.some((group) => pattern.test(group)),
  role: (pattern, { role }) => role !== undefined && pattern.test(role),
};

function named(kind: Subject["kind"]): (pattern: RegExp, subject: Subject) => boolean {
  return (pattern, subject) => subject.kind === kind && pattern.test(subject.name);
}

/**
 * Reads a principal:
 * - `any`: every client
 * - `loopback`: clients on this machine: over plain HTTP, or over TLS with a certificate. That includes all clients of a
 *   proxy on this machine, unless tokens or people are recognised and the proxy says that it passes a request on. Never
 *   on the listener for people
 * - `signed-in`: every person
 * - `token:NAME`, `user:NAME`, `sso:NAME`, `proxy:NAME`: a token, or a person by who confirmed who it is
 * - `group:NAME`, `role:NAME`: people with a group, tokens and people with a role
 * - `/…/`: a client with a verified certificate whose whole name fits the regular expression
 * - anything else: a client with a verified certificate of that name. Where a token was sent too, the token decides
 *
 * In names `*` is any run of characters, dots too, and `?` is one; `*` alone is every verified certificate. Patterns match
 * whole names, so that `/web/` does not allow `evil-web`. Case matters, as in certificate names.
 * @throws Error whose message says what is invalid
 */
export function readPrincipal(text: string): Principal {
  const word = Object.hasOwn(words, text) ? words[text] : undefined;
  if (word !== undefined) return word;
  const { kind = "", name = "" } = prefixOf(text) ?? {};
  const fits = prefixes[kind];
  if (fits !== undefined) {
    if (kind === "role" && !roleNames.includes(name as Role)) throw new Error(`use one of ${roleNames.join(", ")}`);
    if (name === "") throw new Error(`expected a name after "${kind}:"`);
    const pattern = globPattern(name);
    return ({ subject }) => subject !== undefined && fits(pattern, subject);
  }
  const pattern = certificatePattern(text);
  return ({ certname, subject }) => subject === undefined && certname !== undefined && pattern.test(certname);
}

/** The kind and the name of `token:NAME` and the like; undefined for certificates and words. */
export function prefixOf(text: string): { readonly kind: string; readonly name: string } | undefined {
  const [, kind = "", name = ""] = /^(\w+):(.*)$/s.exec(text) ?? [];
  return Object.hasOwn(prefixes, kind) ? { kind, name } : undefined;
}

function certificatePattern(text: string): RegExp {
  const expression = /^\/(.*)\/$/s.exec(text)?.[1];
  // Compiled on its own first, so that `a)|(?:b` is an error and cannot escape the anchors.
  if (expression !== undefined) return new RegExp(`^(?:${new RegExp(expression, "u").source})$`, "u");
  if (!/^[^\s/]+$/.test(text)) throw new Error("expected a certificate name without spaces and slashes");
  return globPattern(text);
}

function globPattern(text: string): RegExp {
  const glob = text.replaceAll(/[\\^$.+()[\]{}|]/g, "\\$&");
  return new RegExp(`^${glob.replaceAll("*", ".*").replaceAll("?", ".")}$`, "s");
}

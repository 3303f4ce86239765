import type { IncomingMessage } from "node:http";

/**
 * Cookies of this service. `__Host-`: a browser accepts them over TLS from this host alone, and no other host of the domain
 * can set them. Lax: links from mail open the page, but no other page can send a form with them.
 */
export type CookieName = "__Host-census" | "__Host-census-known" | `__Host-census-flow-${string}`;

/** The value of a cookie of a request; undefined: it was not sent. */
export function cookieOf({ headers }: IncomingMessage, name: CookieName): string | undefined {
  const { cookie } = headers;
  if (cookie === undefined || !cookie.includes(name)) return undefined;
  const pair = cookie.split(/; */).find((one) => one.startsWith(`${name}=`));
  return pair?.slice(name.length + 1);
}

/** The header that sets a cookie. @param seconds how long the browser keeps it; undefined: until it is closed; 0: not */
export function setCookie(name: CookieName, value: string, seconds?: number): string {
  const age = seconds === undefined ? "" : `; Max-Age=${seconds}`;
  return `${name}=${value}; Path=/; Secure; HttpOnly; SameSite=Lax${age}`;
}

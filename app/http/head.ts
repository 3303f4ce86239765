import type { IncomingMessage } from "node:http";

/** Hosts that were found valid; at most this many are remembered, because clients use the same few all the time. */
const REMEMBERED = 100;
const valid = new Set<string>();

/** `name`, `name:port`, `127.0.0.1:8080`, `[::1]:8080`. */
const AUTHORITY = /^(?:[\w.~!$&'()*+,;=%-]+|\[[\da-f:.]+\])(?::\d{0,5})?$/i;

const ABSOLUTE = /^https?:\/\/(?<authority>[^/?#]*)(?<rest>[^#]*)/i;

/**
 * Checks the head of a request before anything builds an URL from it, and brings a target in absolute form into the usual
 * one: `GET http://census:8080/status` becomes `GET /status` with `Host: census:8080` (RFC 9112 §3.2.2).
 * @returns why the request is answered 400; undefined when its head is valid
 */
export function headProblem(request: IncomingMessage): string | undefined {
  return versionProblem(request) ?? framingProblem(request) ?? hostProblem(request) ?? targetProblem(request);
}

function versionProblem({ httpVersion }: IncomingMessage): string | undefined {
  return httpVersion === "1.1" || httpVersion === "1.0" ? undefined : "This version of HTTP is not supported";
}

/** Where one server sees the end of a body and another does not, the rest of it becomes a request of its own. */
function framingProblem({ headers, httpVersion }: IncomingMessage): string | undefined {
  const encoding = headers["transfer-encoding"];
  if (encoding === undefined) return undefined;
  if (headers["content-length"] !== undefined) return "Content-Length and Transfer-Encoding exclude each other";
  if (httpVersion === "1.0") return "HTTP/1.0 has no Transfer-Encoding";
  return encoding.toLowerCase() === "chunked" ? undefined : "Transfer-Encoding must be chunked";
}

function hostProblem({ headers: { host }, rawHeaders, httpVersion }: IncomingMessage): string | undefined {
  if (host === undefined) return httpVersion === "1.0" ? undefined : "Host is missing";
  if (isRepeated(rawHeaders, "host")) return "Host is given several times";
  return host === "" || isAuthority(host) ? undefined : "Host is not a valid name and port";
}

/** Names of headers are at the even places. */
function isRepeated(rawHeaders: readonly string[], name: string): boolean {
  let seen = false;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const header = rawHeaders[at];
    if (header?.length !== name.length || header.toLowerCase() !== name) continue;
    if (seen) return true;
    seen = true;
  }
  return false;
}

function isAuthority(text: string): boolean {
  if (valid.has(text)) return true;
  if (!AUTHORITY.test(text) || !URL.canParse(`http://${text}`)) return false;
  if (valid.size < REMEMBERED) valid.add(text);
  return true;
}

function targetProblem(request: IncomingMessage): string | undefined {
  const { url = "" } = request;
  if (url.startsWith("/")) return undefined;
  const { authority, rest = "" } = ABSOLUTE.exec(url)?.groups ?? {};
  if (authority === undefined || !isAuthority(authority)) return "The target is not a valid path";
  request.url = rest.startsWith("/") ? rest : `/${rest}`;
  request.headers.host = authority;
  return undefined;
}

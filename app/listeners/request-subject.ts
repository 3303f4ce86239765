import type { IncomingMessage } from "node:http";

const subjects = new WeakMap<IncomingMessage, string>();

/** Keeps who sent a request, for the access log. */
export function keepSubject(request: IncomingMessage, subject: string): void {
  subjects.set(request, subject);
}

/** `sso:alice`; undefined: neither a token nor a person was recognised. */
export function subjectOf(request: IncomingMessage): string | undefined {
  return subjects.get(request);
}

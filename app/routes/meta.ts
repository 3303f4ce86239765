import type { H3Event } from "h3";
import type { Clock } from "#storage/time.ts";
import { formatTimestamp } from "#storage/time.ts";
import { asResponse, notFound, prettyAnswer } from "../http/answers.ts";
import { refuseMedia } from "../http/negotiation.ts";
import { nodeRequest, rawTarget } from "../http/request.ts";

/**
 * The version of the interface that is spoken, which is what clients ask for: some do without features, or do not start
 * at all, where it is low or not a plain version (`reference/clients.md §2`). The program's own is another matter.
 */
export const interfaceVersion = "8.8.1";

/** What there is below `/pdb/meta/v1`. */
const documents: Readonly<Record<string, (clock: Clock) => unknown>> = {
  version: () => ({ version: interfaceVersion }),
  // Nobody is asked: as far as is known here this is the latest.
  "version/latest": () => ({ newer: false, version: interfaceVersion, link: null }),
  "server-time": (clock) => ({ server_time: formatTimestamp(clock.now()) }),
};

/** `/pdb/meta/v1/**`, by any method (`reference/http.md §1.1`). */
export function answerMeta(clock: Clock, event: H3Event): Response {
  const { path } = rawTarget(event);
  const refusal = refuseMedia(nodeRequest(event), path);
  if (refusal !== undefined) return asResponse(refusal);
  const name = path.replace(/^\/pdb\/meta\/v1\//, "");
  const document = Object.hasOwn(documents, name) ? documents[name] : undefined;
  return document === undefined ? notFound() : prettyAnswer(document(clock));
}

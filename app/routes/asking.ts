import type { H3Event } from "h3";
import type { Plan } from "#storage/query/query.ts";
import type { Store } from "#storage/store.ts";
import { jsonText } from "../http/answers.ts";
import type { QueryParameters } from "../query/parameters.ts";
import type { QuerySettings } from "../query/settings.ts";
import type { QueryWatch } from "../query/watch.ts";

/** One request for rows, read and about to be answered. */
export interface Asking {
  readonly store: Store;
  readonly event: H3Event;
  readonly parameters: QueryParameters;
  readonly settings: QuerySettings;
  /** Ends with the client, or with the time that the query may take. */
  readonly signal: AbortSignal;
  readonly watch: QueryWatch;
}

/** What each step of some plans takes, in place of their answers. */
export async function explained({ store, signal }: Asking, plans: readonly Plan[]): Promise<Response> {
  const explanations = await Promise.all(plans.map((plan) => store.explain(plan, { signal })));
  return jsonText(JSON.stringify(explanations));
}

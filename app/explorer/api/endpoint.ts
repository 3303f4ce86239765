import type { Family } from "../../access/families.ts";
import type { Route } from "../../http/route.ts";
import type { ExplorerServices } from "../services.ts";

/** Where the endpoints are. */
export const apiRoot = "/explorer/api/v1";

/** An endpoint of the explorer, for GET and, where its parameters are long, POST. */
export interface Endpoint extends Pick<Route<ExplorerServices>, "describe" | "handle"> {
  /** What an authorization policy allows or denies; default: queries. */
  readonly family?: Family;
  /** Whether a HEAD finds out what a GET would answer; default: no. */
  readonly hasHead?: boolean;
  /** Whether responses go on until the client leaves; default: no. They are not metered, as they have no duration. */
  readonly isEndless?: boolean;
  /** Below {@link apiRoot}, e.g. `facets` or `issues/:id`. */
  readonly path: string;
}

import { isBelow, leadingPaths } from "./paths.ts";
import type { Fallback, Feature, Route, RouteTable } from "./route.ts";

/** Where a request leads. */
export interface Match<Services> {
  readonly endpoint: Route<Services> | Fallback<Services>;
  readonly segments: Readonly<Record<string, string>>;
  /** The paths under which the response is counted. */
  readonly metered: readonly string[];
}

interface Pattern<Services> {
  readonly route: Route<Services>;
  readonly expression: RegExp;
  readonly names: readonly string[];
  readonly metered: readonly string[];
}

/**
 * Finds routes by paths. Of several that match, the first in the tables applies, those without segments before others.
 */
export class Router<Services> {
  /** Those whose feature is switched on, in the order of the tables. */
  readonly routes: readonly Route<Services>[];
  readonly #exact = new Map<string, Match<Services>>();
  readonly #anySpelling = new Map<string, Match<Services>>();
  readonly #patterns: readonly Pattern<Services>[];
  readonly #fallbacks: readonly (readonly [below: string, match: Match<Services>])[];

  constructor(tables: readonly RouteTable<Services>[], features: ReadonlySet<Feature>) {
    const isOn = ({ feature }: { readonly feature?: Feature }): boolean =>
      feature === undefined || features.has(feature);
    this.routes = tables.flatMap(({ routes }) => routes).filter(isOn);
    for (const route of this.routes) {
      if (route.path.includes(":")) continue;
      const match = matchOf(route);
      this.#exact.set(route.path, match);
      if (route.anySpelling === true) this.#anySpelling.set(route.path, match);
    }
    this.#patterns = this.routes.filter(({ path }) => path.includes(":")).map(compile);
    this.#fallbacks = tables
      .flatMap(({ fallbacks = [] }) => fallbacks)
      .filter(isOn)
      .map((fallback) => [fallback.below, matchOf(fallback)] as const)
      .sort(([a], [b]) => b.length - a.length);
  }

  /**
   * The route whose path is exactly this one, without segments.
   * @param path as it was sent
   */
  exact(path: string): Match<Services> | undefined {
    return this.#exact.get(path);
  }

  /**
   * Any route with this path.
   * @param path as it was sent
   */
  find(path: string): Match<Services> | undefined {
    const exact = this.#exact.get(path);
    if (exact !== undefined) return exact;
    for (const { route, expression, names, metered } of this.#patterns) {
      const match = expression.exec(path);
      if (match === null) continue;
      const segments = Object.fromEntries(names.map((name, index) => [name, decoded(match[index + 1] ?? "")]));
      return { endpoint: route, segments, metered };
    }
    return undefined;
  }

  /**
   * The handler where no route has exactly the sent path: a route for another spelling, or a fallback.
   * @param path with dots and needless escapes resolved, so that no spelling leads past an access rule
   */
  fallback(path: string): Match<Services> {
    const route = this.#anySpelling.get(path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path);
    if (route !== undefined) return route;
    const found = this.#fallbacks.find(([below]) => below === "/" || isBelow(path, below));
    if (found === undefined) throw new Error("no fallback for the root");
    return found[1];
  }
}

function matchOf<Services>(endpoint: Route<Services> | Fallback<Services>): Match<Services> {
  return { endpoint, segments: {}, metered: leadingPaths(endpoint.metered) };
}

/** Characters of a segment before it is decoded; it may be empty (`reference/query.md §2`). */
const SEGMENT = String.raw`[\w%.~:-]*`;

const NAMED_SEGMENT = /:(\w+)(?:\(([^()]+)\))?/g;

function compile<Services>(route: Route<Services>): Pattern<Services> {
  const names = [...route.path.matchAll(NAMED_SEGMENT)].map(([, name = ""]) => name);
  const source = route.path.replaceAll(NAMED_SEGMENT, (_, _name: string, expression = SEGMENT) => `(${expression})`);
  return { route, expression: new RegExp(`^${source}$`), names, metered: leadingPaths(route.metered) };
}

/** A route's path as OpenAPI writes it: `/nodes/{node}`. */
export function templateOf(path: string): string {
  return path.replaceAll(NAMED_SEGMENT, "{$1}");
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

import type { Family } from "../access/families.ts";
import type { PathItem } from "../openapi/types.ts";
import type { HttpRequest } from "./request.ts";
import type { HttpResponse } from "./response.ts";

/** Parts of the service that a setting can switch off, routes included. */
export type Feature = "explorer" | "jolokia" | "sign-in";

/**
 * Answers requests of a route.
 * @throws CensusError for what `fault.ts` has a status for; anything else is answered 500 and logged
 */
export type RouteHandler<Services> = (services: Services, request: HttpRequest) => HttpResponse | Promise<HttpResponse>;

/** What routes and fallbacks have in common. */
interface Endpoint<Services> {
  /** Methods that reach the handler. */
  readonly methods: readonly string[] | "any";
  /** Answers other methods; default: 404, as in PuppetDB. */
  readonly refuseMethod?: (request: HttpRequest) => HttpResponse;
  /** The path under which responses are counted, and under each path above it; undefined: they are not counted. */
  readonly metered: string | undefined;
  /** Exists only where this is switched on. */
  readonly feature?: Feature;
  /** The handler writes the body to a file as it arrives, rather than reading it into memory. */
  readonly streamsBody?: boolean;
  /** On the listener for people, everybody may use it: it is how they sign in. */
  readonly isOpen?: boolean;
  readonly handle: RouteHandler<Services>;
}

/**
 * A path and all there is to know of it: the router, access rules, metrics and `openapi.json` are derived from these.
 * @template Services the services that the handler uses
 */
export interface Route<Services> extends Endpoint<Services> {
  /**
   * As clients send it; other spellings are not found, unless `anySpelling` is set. `:name` is a segment, of letters,
   * digits and `_ % . ~ : -`, or that match the expression in the parentheses after its name: `/nodes/:node`,
   * `/reports/:hash([a-f0-9]+)`.
   */
  readonly path: string;
  /**
   * Whether spellings with a slash at the end, dots or needless escapes lead here as well; default: no, as in PuppetDB.
   */
  readonly anySpelling?: boolean;
  /** What an authorization policy allows or denies. */
  readonly family: Family;
  /** The operations by method, for OpenAPI. */
  readonly describe: () => PathItem;
}

/** Responds below a path where there is no route. */
export interface Fallback<Services> extends Endpoint<Services> {
  /** `/pdb/query` for itself and everything below it. Of several the longest applies. */
  readonly below: string;
  /** Undefined: an authorization policy denies it to all clients. */
  readonly family: Family | undefined;
}

/** The routes of a part of the interface, and its responses where there is none. */
export interface RouteTable<Services> {
  readonly routes: readonly Route<Services>[];
  readonly fallbacks?: readonly Fallback<Services>[];
}

import { useLocation, useRoute } from "preact-iso";
import { useMemo } from "preact/hooks";
import { type Codec, text } from "./codecs.ts";
import { type PageKey, paths } from "./pages.ts";

/** Kept when going from one page to another. */
export const sticky = ["env", "last", "from", "to", "zone", "live", "as_of"] as const;

/** Parameters of an address; undefined and empty lists are left out. */
export type Parameters = Readonly<Record<string, string | readonly string[] | undefined>>;

let navigate: ((url: string, replace?: boolean) => void) | undefined;

/** Lets `go` work outside of components. Called by the frame. */
export function setNavigation(route: (url: string, replace?: boolean) => void): void {
  navigate = route;
}

/** Goes to an address of the explorer. */
export function go(url: string, { replace = false } = {}): void {
  const { state } = history;
  navigate?.(url, replace);
  // What parts of the page keep in this step of the history stays in it.
  if (replace) history.replaceState(state, "");
}

/**
 * The address of a page: certnames, hashes and the like as segments, everything else as parameters.
 * Environment, time range and zone are those of the present address.
 */
export function href(key: PageKey, segments: readonly string[] = [], parameters: Parameters = {}): string {
  const rest = [...segments];
  const search = new URLSearchParams();
  const path = paths[key]
    .split("/")
    .flatMap((part) => {
      if (!part.startsWith(":")) return [part];
      const segment = rest.shift();
      if (segment !== "." && segment !== "..") return segment === undefined ? [] : [encodeURIComponent(segment)];
      search.append(part.slice(1), segment);
      return [DOTS];
    })
    .join("/");
  const now = new URLSearchParams(location.search);
  for (const name of sticky) {
    if (name in parameters) continue;
    for (const value of now.getAll(name)) search.append(name, value);
  }
  append(search, parameters);
  return written(path === "/explorer" ? "/explorer/" : path, search);
}

/** In place of a segment that browsers resolve, `.` or `..`, which is then a parameter. */
const DOTS = "~";

/** A segment of the present address, decoded: `certname` of the page of a node. */
export function useSegment(name: string): string {
  const { params } = useRoute();
  const [dots] = useText(name);
  return params[name] === DOTS && dots !== "" ? dots : (params[name] ?? "");
}

/** Longer parameters are in the fragment, which is not sent: servers refuse long addresses. Characters. */
const LONGEST = 2000;
/** What such a fragment begins with. */
const MARK = "#~";

function written(path: string, parameters: URLSearchParams): string {
  const search = new URLSearchParams();
  const fragment = new URLSearchParams();
  for (const [name, value] of parameters) (value.length > LONGEST ? fragment : search).append(name, value);
  return (
    path + (search.size === 0 ? "" : `?${search.toString()}`) + (fragment.size === 0 ? "" : MARK + fragment.toString())
  );
}

/** The parameters of an address. */
function parametersOf({ searchParams, hash }: URL): URLSearchParams {
  const own = hash.startsWith(MARK) ? new URLSearchParams(hash.slice(MARK.length)) : [];
  return new URLSearchParams([...searchParams, ...own]);
}

function append(search: URLSearchParams, parameters: Parameters): void {
  for (const [name, value] of Object.entries(parameters)) {
    if (value === undefined) continue;
    for (const one of typeof value === "string" ? [value] : value) search.append(name, one);
  }
}

/** The present address with other values for some parameters; undefined removes one. */
export function withParameters(url: string, parameters: Parameters): string {
  const parsed = new URL(url, location.origin);
  const all = parametersOf(parsed);
  for (const name of Object.keys(parameters)) all.delete(name);
  append(all, parameters);
  return written(parsed.pathname, all);
}

export interface ChangeOptions {
  /** Adds a step to the browser's history; default: yes. Typing replaces instead. */
  readonly push?: boolean;
}

/** The value of a parameter of the address, and a function that changes it. */
export function useParameter<T>(name: string, codec: Codec<T>): [T, (value: T, options?: ChangeOptions) => void] {
  const { url } = useLocation();
  const value = useMemo(() => {
    const given = parametersOf(new URL(location.hash, new URL(url, location.origin))).getAll(name);
    return given.length === 0 ? codec.fallback : (codec.read(given) ?? codec.fallback);
  }, [url, location.hash, name]);
  return [value, (next, options) => changeParameters({ [name]: codec.write(next) }, options)];
}

/** Changes several parameters in one step. */
export function changeParameters(parameters: Parameters, { push = true }: ChangeOptions = {}): void {
  const { pathname, search, hash } = location;
  const changed = withParameters(location.href, parameters);
  if (changed !== pathname + search + (hash.startsWith(MARK) ? hash : "")) go(changed, { replace: !push });
}

const codec = text();

/** A text of the address, empty without it, and a function that changes it. */
export function useText(name: string): [string, (value: string, options?: ChangeOptions) => void] {
  return useParameter(name, codec);
}

/** The environment that pages are limited to; undefined: all. */
export function useEnvironment(): string | undefined {
  const [name] = useText("env");
  return name === "" ? undefined : name;
}

import { useLocation } from "preact-iso";
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
  const path = paths[key]
    .split("/")
    .flatMap((part) => {
      if (!part.startsWith(":")) return [part];
      const segment = rest.shift();
      return segment === undefined ? [] : [encodeURIComponent(segment)];
    })
    .join("/");
  const now = new URLSearchParams(location.search);
  const search = new URLSearchParams();
  for (const name of sticky) {
    if (name in parameters) continue;
    for (const value of now.getAll(name)) search.append(name, value);
  }
  append(search, parameters);
  const query = search.toString();
  return `${path === "/explorer" ? "/explorer/" : path}${query === "" ? "" : `?${query}`}`;
}

function append(search: URLSearchParams, parameters: Parameters): void {
  for (const [name, value] of Object.entries(parameters)) {
    if (value === undefined) continue;
    for (const one of typeof value === "string" ? [value] : value) search.append(name, one);
  }
}

/** The present address with other values for some parameters; undefined removes one. */
export function withParameters(url: string, parameters: Parameters): string {
  const { pathname, searchParams } = new URL(url, location.origin);
  for (const name of Object.keys(parameters)) searchParams.delete(name);
  append(searchParams, parameters);
  const query = searchParams.toString();
  return `${pathname}${query === "" ? "" : `?${query}`}`;
}

export interface ChangeOptions {
  /** Adds a step to the browser's history; default: yes. Typing replaces instead. */
  readonly push?: boolean;
}

/** The value of a parameter of the address, and a function that changes it. */
export function useParameter<T>(name: string, codec: Codec<T>): [T, (value: T, options?: ChangeOptions) => void] {
  const { url } = useLocation();
  const value = useMemo(() => {
    const given = new URL(url, location.origin).searchParams.getAll(name);
    return given.length === 0 ? codec.fallback : (codec.read(given) ?? codec.fallback);
  }, [url, name]);
  const change = (next: T, { push = true }: ChangeOptions = {}): void => {
    const present = `${location.pathname}${location.search}`;
    const changed = withParameters(present, { [name]: codec.write(next) });
    if (changed !== present) go(changed, { replace: !push });
  };
  return [value, change];
}

/** Changes several parameters in one step. */
export function changeParameters(parameters: Parameters, { push = true }: ChangeOptions = {}): void {
  const present = `${location.pathname}${location.search}`;
  const changed = withParameters(present, parameters);
  if (changed !== present) go(changed, { replace: !push });
}

const codec = text();

/** The environment that pages are limited to; undefined: all. */
export function useEnvironment(): string | undefined {
  const [name] = useParameter("env", codec);
  return name === "" ? undefined : name;
}

import { useEffect, useState } from "preact/hooks";
import { refreshes } from "../data/refreshes.ts";
import { incompleteHeader, RequestError } from "../data/fetch-json.ts";
import { type Loaded, type NamedRequest, useData } from "../data/use-data.ts";
import { leaveIfSignedOut } from "../session/session.ts";

interface Reply {
  readonly status: number;
  readonly value?: unknown;
  readonly error?: string;
}

/**
 * Reads MBeans over the Jolokia interface.
 * @param attribute undefined: all of them
 * @returns in the order of the names; undefined for one that does not exist
 * @throws RequestError when the server refuses
 */
export async function readBeans(
  names: readonly string[],
  attribute: string | undefined,
  signal: AbortSignal,
): Promise<readonly unknown[]> {
  const body = names.map((mbean) => ({ type: "read", mbean, ...(attribute === undefined ? {} : { attribute }) }));
  const response = await fetch("/metrics/v2", {
    method: "POST",
    headers: incompleteHeader,
    body: JSON.stringify(body),
    signal,
  });
  const text = await response.text();
  leaveIfSignedOut(response);
  if (!response.ok) throw new RequestError(response.status, text);
  return (JSON.parse(text) as readonly Reply[]).map(({ status, value }) => (status === 200 ? value : undefined));
}

/** What `/metrics/v2/search/<pattern>` answers; without `value` where nothing matches. */
export interface FoundBeans {
  readonly value?: readonly string[];
}

/** What `/metrics/v2/read/<pattern>/<attributes>` answers: attributes by MBean; without `value` where nothing matches. */
export interface ReadBeans<A> {
  readonly value?: Readonly<Record<string, A>>;
}

/** Values of MBeans, or why they cannot be read. */
export interface BeanValues {
  readonly values: readonly unknown[] | undefined;
  readonly error: string | undefined;
}

/** Reads an attribute of MBeans, or all of their attributes. */
export function useBeans(names: readonly string[], attribute?: string): BeanValues {
  const [found, setFound] = useState<BeanValues>({ values: undefined, error: undefined });
  const key = names.join("\n");
  useEffect(() => {
    if (names.length === 0) return undefined;
    const controller = new AbortController();
    readBeans(names, attribute, controller.signal).then(
      (values) => setFound({ values, error: undefined }),
      (error: unknown) => {
        if (controller.signal.aborted) return;
        setFound({ values: undefined, error: error instanceof RequestError ? error.message : "No connection." });
      },
    );
    return () => controller.abort();
  }, [key, attribute, refreshes.value]);
  return found;
}

/** `useData`, fetched again every few seconds while the page is seen. */
export function usePolled<T>(request: NamedRequest, everyMs: number): Loaded<T> {
  const loaded = useData<T>(request);
  const { reload } = loaded;
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) reload();
    }, everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return loaded;
}

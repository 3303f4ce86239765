import { useMemo } from "preact/hooks";
import type { RequestError } from "../data/request-error.ts";
import { type NamedRequest, useData } from "../data/use-data.ts";
import type { QuerySource } from "./query-source.ts";

/** What is known besides about the rows that are seen. */
export interface WindowDetails<Detail> {
  readonly details: readonly Detail[];
  /** Whether something is missing still. */
  readonly isLoading: boolean;
  readonly error: RequestError | undefined;
}

/**
 * Fetches more about the rows of the windows that are seen, one request for each.
 * @param request for the rows of one window; undefined: nothing is needed
 */
export function useWindowDetails<Row, Detail>(
  source: QuerySource<Row>,
  request: (rows: readonly Row[]) => NamedRequest | undefined,
): WindowDetails<Detail> {
  const requestOf = (parity: number): NamedRequest | undefined => {
    const rows = source.seen.find(({ window }) => window % 2 === parity)?.rows ?? [];
    return rows.length === 0 ? undefined : request(rows);
  };
  const even = useData<readonly Detail[]>(requestOf(0));
  const odd = useData<readonly Detail[]>(requestOf(1));
  const details = useMemo(() => [...(even.value ?? []), ...(odd.value ?? [])], [even.value, odd.value]);
  return { details, isLoading: even.isLoading || odd.isLoading, error: even.error ?? odd.error };
}

import { leaveIfSignedOut } from "../session/session.ts";
import { incompleteHeader } from "../data/fetch-json.ts";
import { RequestError } from "../data/request-error.ts";

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

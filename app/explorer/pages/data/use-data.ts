import { useEffect, useRef, useState } from "preact/hooks";
import { type PanelQuery, useShownQuery } from "../pql/shown-queries.ts";
import type { Answer, AnswerPath } from "../../api/shapes.ts";
import { type DataRequest, pathOf, RequestError, urlOf } from "./fetch-json.ts";
import { freshResponse, load } from "./load.ts";
import { arrivalOf, refreshes, useIsArriving } from "./refreshes.ts";

/** A request of an endpoint of the explorer. */
export interface EndpointRequest extends Omit<NamedRequest, "path"> {
  /** The value of the segment of its path. */
  readonly segment?: string;
}

/** A request whose query is shown in the drawer "Queries of this page". */
export interface NamedRequest extends DataRequest {
  /** What the data are: "Runs per hour". */
  readonly name: string;
  /** The PQL that returns the same data, or the nearest to it. */
  readonly pql?: string;
  /** What the endpoint adds to `pql`: "with counts per value". */
  readonly adds?: string;
}

/** Data on their way, there, or refused. */
export interface Loaded<T> {
  /** The newest value; while another is on its way, the one before it. */
  readonly value: T | undefined;
  readonly error: RequestError | undefined;
  readonly isLoading: boolean;
  /** Of the last response, ms. */
  readonly ms: number | undefined;
  /** Rows without limit, where they were counted. */
  readonly total: number | undefined;
  readonly pql: string | undefined;
  /** Fetches again. */
  readonly reload: () => void;
  /** Stops waiting; the server stops working on it. */
  readonly cancel: () => void;
}

interface State<T> {
  readonly url: string | undefined;
  readonly value: T | undefined;
  readonly error: RequestError | undefined;
  readonly isLoading: boolean;
  readonly ms: number | undefined;
  readonly age: number | undefined;
  readonly total: number | undefined;
}

const nothing = {
  value: undefined,
  error: undefined,
  isLoading: false,
  ms: undefined,
  age: undefined,
  total: undefined,
} as const;

/**
 * Fetches data and keeps them up to date: again when the request changes, when the user refreshes, and when the store has
 * changed. Leaving the page or
 * changing the request aborts the one under way.
 * @param request undefined: nothing is fetched (yet)
 */
export function useData<T>(request: NamedRequest | undefined): Loaded<T> {
  const url = request === undefined ? undefined : urlOf(request);
  const [state, setState] = useState<State<T>>(() => initial<T>(request, url));
  const [attempt, setAttempt] = useState(0);
  const controller = useRef<AbortController | undefined>(undefined);
  const refreshed = refreshes.value;
  const arrived = arrivalOf(request);
  const isArriving = useIsArriving(url);

  useEffect(() => {
    if (request === undefined) {
      setState({ url, ...nothing });
      return undefined;
    }
    const kept = freshResponse(request);
    if (kept !== undefined && attempt === 0) {
      setState({ url, ...nothing, value: kept.value as unknown as T, ms: kept.ms, age: kept.age, total: kept.total });
      return undefined;
    }
    const own = new AbortController();
    controller.current = own;
    setState((before) => ({ ...before, url, error: undefined, isLoading: true }));
    void loaded<T>(request, own.signal).then((found) => {
      if (found !== undefined && controller.current === own) setState((before) => ({ ...before, url, ...found }));
    });
    return () => own.abort();
  }, [url, refreshed, attempt, arrived]);

  const panelQuery: PanelQuery | undefined =
    request?.pql === undefined
      ? undefined
      : {
          name: request.name,
          pql: request.pql,
          adds: request.adds,
          path: request.path,
          parameters: request.parameters ?? {},
          ms: state.ms,
          age: state.age,
          rows: Array.isArray(state.value) ? state.value.length : undefined,
        };
  useShownQuery(panelQuery);

  return {
    ...state,
    isLoading: (state.isLoading || state.url !== url) && !(isArriving && state.value !== undefined),
    pql: request?.pql,
    reload: () => setAttempt((before) => before + 1),
    cancel: () => {
      controller.current?.abort();
      controller.current = undefined;
      setState((before) => ({ ...before, isLoading: false, error: new RequestError(0, "Cancelled.") }));
    },
  };
}

/** Fetches what an endpoint of the explorer answers; see {@link useData}. */
export function useAnswer<Path extends AnswerPath>(
  endpoint: Path,
  request: EndpointRequest | undefined,
): Loaded<Answer<Path>> {
  return useData<Answer<Path>>(
    request === undefined ? undefined : { ...request, path: pathOf(endpoint, request.segment) },
  );
}

function initial<T>(request: DataRequest | undefined, url: string | undefined): State<T> {
  const kept = request === undefined ? undefined : freshResponse(request);
  if (kept === undefined) return { url, ...nothing, isLoading: request !== undefined };
  return { url, ...nothing, value: kept.value as unknown as T, ms: kept.ms, age: kept.age, total: kept.total };
}

/** @returns undefined when it was aborted */
async function loaded<T>(request: DataRequest, signal: AbortSignal): Promise<Omit<State<T>, "url"> | undefined> {
  try {
    const { value, ms, age, total } = await load(request, signal);
    return { ...nothing, value: value as unknown as T, ms, age, total };
  } catch (error) {
    if (signal.aborted) return undefined;
    const known = error instanceof RequestError ? error : new RequestError(0, String(error));
    // What was shown before stays while the server is away.
    return known.mayPass ? ({ error: known, isLoading: false } as Omit<State<T>, "url">) : { ...nothing, error: known };
  }
}

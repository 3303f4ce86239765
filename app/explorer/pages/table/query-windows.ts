import { type DataRequest, RequestError } from "../data/fetch-json.ts";
import { freshResponse, load } from "../data/load.ts";

/** Rows fetched at a time. */
export const WINDOW = 500;
/** Maximum windows in memory, so that scrolling through a long table does not fill it. */
const MOST_WINDOWS = 20;
/** How long scrolling has to rest before rows are fetched, ms. */
const REST_MS = 80;

/** Parameters for one window. */
export type WindowRequest = (window: { limit: number; offset: number; includeTotal: boolean }) => DataRequest;

/** Rows of one query, fetched in windows as they are seen. */
export class QueryWindows<Row> {
  count: number | undefined;
  error: RequestError | undefined;
  /** Of the last response, ms. */
  ms: number | undefined;
  readonly #request: WindowRequest;
  readonly #changed: () => void;
  readonly #rows = new Map<number, readonly Row[]>();
  readonly #underWay = new Map<number, AbortController>();
  /** Windows that could not be fetched: not tried again before the user wants it. */
  readonly #failed = new Set<number>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #closed = false;

  /**
   * @param window the first one to show; a cached response of it is shown at once
   * @param changed called when rows, the count or an error arrive
   */
  constructor(request: WindowRequest, window: number, changed: () => void) {
    this.#request = request;
    this.#changed = changed;
    const kept = freshResponse(this.#requestOf(window));
    if (kept !== undefined) this.#take(window, kept);
  }

  get isLoading(): boolean {
    return this.#underWay.size > 0;
  }

  /** Whether anything can be shown: rows, or why there are none. */
  get isReady(): boolean {
    return this.#rows.size > 0 || this.error !== undefined;
  }

  get first(): readonly Row[] | undefined {
    return this.#rows.get(0) ?? this.#rows.values().next().value;
  }

  row(index: number): Row | undefined {
    return this.#rows.get(Math.floor(index / WINDOW))?.[index % WINDOW];
  }

  /** The fetched windows of these rows; the same arrays as long as they stay. */
  seen(first: number, last: number): { window: number; rows: readonly Row[] }[] {
    return windowsOf(first, last).flatMap((window) => {
      const rows = this.#rows.get(window);
      return rows === undefined ? [] : [{ window, rows }];
    });
  }

  /** Fetches the windows of these rows once scrolling rests, and aborts others. */
  show(first: number, last: number): void {
    clearTimeout(this.#timer);
    if (this.#closed) return;
    const seen = windowsOf(first, last);
    this.#forgetFarFrom(seen[0] ?? 0);
    for (const [window, controller] of this.#underWay) {
      if (seen.includes(window)) continue;
      controller.abort();
      this.#underWay.delete(window);
    }
    const isKnown = (window: number): boolean => this.#rows.has(window) || this.#failed.has(window);
    const missing = seen.filter((window) => !isKnown(window) && !this.#underWay.has(window));
    if (missing.length === 0) return;
    const fetchAll = (): void => missing.forEach((window) => void this.#fetch(window));
    if (this.isReady) this.#timer = setTimeout(fetchAll, REST_MS);
    else fetchAll();
  }

  /** Stops waiting. */
  cancel(): void {
    this.close();
    this.error = new RequestError(0, "Cancelled.");
    this.#changed();
  }

  /** Aborts everything. */
  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    for (const controller of this.#underWay.values()) controller.abort();
    this.#underWay.clear();
  }

  #forgetFarFrom(window: number): void {
    const farthest = [...this.#rows.keys()].sort((one, other) => Math.abs(one - window) - Math.abs(other - window));
    for (const far of farthest.slice(MOST_WINDOWS)) this.#rows.delete(far);
  }

  #requestOf(window: number): DataRequest {
    return this.#request({ limit: WINDOW, offset: window * WINDOW, includeTotal: true });
  }

  async #fetch(window: number): Promise<void> {
    const controller = new AbortController();
    this.#underWay.set(window, controller);
    const request = this.#requestOf(window);
    try {
      this.#take(window, freshResponse(request) ?? (await load(request, controller.signal)));
      this.error = undefined;
    } catch (error) {
      if (controller.signal.aborted) return;
      this.error = error instanceof RequestError ? error : new RequestError(0, String(error));
      this.#failed.add(window);
    }
    this.#underWay.delete(window);
    this.#changed();
  }

  #take(window: number, { value, total, ms }: { value: unknown; total: number | undefined; ms: number }): void {
    const rows = value as readonly Row[];
    this.#rows.set(window, rows);
    this.count = total ?? this.count ?? window * WINDOW + rows.length;
    this.ms = ms;
  }
}

/** The windows that contain these rows. */
export function windowsOf(first: number, last: number): number[] {
  const windows: number[] = [];
  for (let window = Math.floor(first / WINDOW); window <= Math.floor(last / WINDOW); window++) windows.push(window);
  return windows;
}

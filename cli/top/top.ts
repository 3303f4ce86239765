import { Unreachable } from "../sources/http.ts";
import { formatSpan } from "#storage/display/spans.ts";
import { messageOf } from "#storage/errors.ts";
import type { SourceClock } from "../node/summary.ts";
import type { ReadRows } from "../sources/read-rows.ts";
import type { Fleet } from "./fleet.ts";
import { frameOf } from "./frame.ts";
import { missingDetail, step } from "./keys.ts";
import { readDetail } from "./read-detail.ts";
import type { FleetReader } from "./read-fleet.ts";
import type { Screen } from "./screen.ts";
import { type Detail, firstState, shownPage, type State } from "./state.ts";

/** What the view works with. */
export interface TopOptions {
  readonly source: string;
  readonly fleet: Fleet;
  readonly reader: FleetReader;
  /** Reads rows until the signal aborts. */
  readonly rowsUntil: (signal: AbortSignal) => ReadRows;
  readonly clock: SourceClock;
  /** Milliseconds between two looks at the source; undefined: it does not change. */
  readonly interval: number | undefined;
  /** Milliseconds that one look may take. */
  readonly limit: number;
  readonly isColoured: boolean;
  readonly size: () => Pick<State, "rows" | "columns">;
  readonly openScreen: (onKey: (key: string) => void) => Screen;
  /** Stops the program until the shell continues it; undefined where shells cannot. */
  readonly stopJob: ((onContinue: () => void) => void) | undefined;
}

/** The view while it runs: passes keys and what is read to the state, and shows it. */
export class Top {
  readonly #options: TopOptions;
  #state: State;
  #screen: Screen | undefined;
  #next: NodeJS.Timeout | undefined;
  #ticks: NodeJS.Timeout | undefined;
  #isReading = false;
  readonly #reading = new Set<string>();
  /** Aborts what is being read when the view ends. */
  readonly #reads = new AbortController();
  #end: (code: number) => void = () => undefined;
  #fail: (error: unknown) => void = () => undefined;
  readonly #ended: Promise<number>;

  constructor(options: TopOptions) {
    this.#options = options;
    const { source, fleet, interval, size } = options;
    const link = interval === undefined ? ({ kind: "still" } as const) : ({ kind: "live", at: new Date() } as const);
    this.#state = firstState({ source, fleet, link, ...size() });
    this.#ended = new Promise((resolve, reject) => {
      this.#end = resolve;
      this.#fail = reject;
    });
  }

  /**
   * Shows the view until it is left.
   * @returns the exit code
   */
  async run(): Promise<number> {
    this.open();
    this.#wait();
    try {
      return await this.#ended;
    } finally {
      clearTimeout(this.#next);
      clearInterval(this.#ticks);
      this.#reads.abort(new Error("the view ended"));
      await this.close();
    }
  }

  /** Opens the screen, also again after {@link close}. */
  open(): void {
    this.#screen ??= this.#options.openScreen((key) => this.#press(key));
    this.resize();
  }

  /** Restores the terminal. */
  async close(): Promise<void> {
    const screen = this.#screen;
    this.#screen = undefined;
    await screen?.close();
  }

  /** Ends the view. */
  leave(code: number): void {
    this.#end(code);
  }

  /** Ends the view with an error. */
  fail(error: unknown): void {
    this.#fail(error);
  }

  /** Gives the terminal back to the shell until it continues the program. */
  suspend(): void {
    const { stopJob } = this.#options;
    if (stopJob === undefined || this.#screen === undefined) return;
    void this.close().then(() => stopJob(() => this.open()));
  }

  resize(): void {
    this.#change({ ...this.#state, ...this.#options.size() });
  }

  #press(key: string): void {
    if (key === "ctrl-z") {
      this.suspend();
      return;
    }
    const before = this.#state.refreshes;
    this.#change(step(this.#state, key));
    if (this.#state.exit !== undefined) this.leave(this.#state.exit);
    else if (this.#state.refreshes !== before) void this.#refresh();
  }

  #change(state: State): void {
    this.#state = state;
    this.#screen?.show(frameOf(state, this.#options.isColoured));
    const missing = missingDetail(state);
    if (missing !== undefined) void this.#read(missing);
  }

  /** Reads the detail of the page that is shown. What was shown stays until it is there. */
  async #read(key: string): Promise<void> {
    if (this.#reading.has(key)) return;
    this.#reading.add(key);
    const detail = await readDetail(shownPage(this.#state), this.#rows(), this.#options.clock).catch(
      (error: unknown): Detail => ({ kind: "problem", text: `This cannot be read: ${this.#reasonOf(error)}` }),
    );
    this.#reading.delete(key);
    if (this.#reads.signal.aborted) return;
    this.#change({ ...this.#state, details: new Map(this.#state.details).set(key, detail) });
  }

  /** Reads rows within the limit of one look. */
  #rows(): ReadRows {
    const { rowsUntil, limit } = this.#options;
    return rowsUntil(AbortSignal.any([this.#reads.signal, AbortSignal.timeout(limit)]));
  }

  #reasonOf(error: unknown): string {
    if (error instanceof DOMException && error.name === "TimeoutError")
      return `it takes longer than ${formatSpan(this.#options.limit / 1000)}`;
    return error instanceof Unreachable ? error.reason : messageOf(error);
  }

  #wait(): void {
    const { interval } = this.#options;
    if (interval === undefined) return;
    clearTimeout(this.#next);
    this.#next = setTimeout(() => void this.#refresh(), interval);
  }

  /** Reads the fleet again, and what is shown of it. */
  async #refresh(): Promise<void> {
    if (this.#isReading) return;
    this.#isReading = true;
    const { reader, interval } = this.#options;
    try {
      const before = this.#state.fleet;
      const fleet = await reader.read(this.#rows());
      if (this.#reads.signal.aborted) return;
      clearInterval(this.#ticks);
      this.#ticks = undefined;
      const link = interval === undefined ? this.#state.link : ({ kind: "live", at: new Date() } as const);
      this.#change({ ...this.#state, fleet, link, details: keptDetails(this.#state, before, fleet) });
    } catch (error) {
      if (!this.#reads.signal.aborted) this.#lose(error);
    } finally {
      this.#isReading = false;
      if (!this.#reads.signal.aborted) this.#wait();
    }
  }

  /** Keeps what is shown, and says that the source does not answer. */
  #lose(error: unknown): void {
    const { link } = this.#state;
    const reason = this.#reasonOf(error);
    const at = new Date();
    const since = link.kind === "gone" ? link.since : at;
    this.#change({ ...this.#state, link: { kind: "gone", since, at, reason } });
    this.#ticks ??= setInterval(() => {
      const { link: now } = this.#state;
      if (now.kind === "gone") this.#change({ ...this.#state, link: { ...now, at: new Date() } });
    }, 1000);
  }
}

/** Details stay valid until their node sends a report; problems are tried again. */
function keptDetails({ details }: State, before: Fleet, after: Fleet): ReadonlyMap<string, Detail> {
  const hashes = new Map(before.nodes.map(({ certname, hash }) => [certname, hash]));
  const changed = new Set(
    after.nodes.filter(({ certname, hash }) => hashes.get(certname) !== hash).map(({ certname }) => certname),
  );
  return new Map([...details].filter(([key, { kind }]) => kind !== "problem" && !changed.has(key.split(" ")[1] ?? "")));
}

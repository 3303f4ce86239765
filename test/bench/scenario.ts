import type { Bench } from "./bench.ts";

/** What is measured in, and what samples of it are numbers of. */
export type Unit =
  | "bytes"
  | "bytes each"
  | "seconds"
  | "milliseconds"
  | "commands/s"
  | "ms/command"
  | "rows/s"
  | "commands"
  | "requests"
  | "runs"
  | "ratio";

/** What a figure should be. It is shown and never enforced: the machine may be busy with something else. */
export type Target = { readonly atLeast: number } | { readonly atMost: number };

/** One figure that a scenario comes to. */
export interface Metric {
  readonly unit: Unit;
  readonly target?: Target;
}

/** Something worth measuring: a row of the list in `scenarios.ts`. */
export interface Scenario {
  /** what `--only` looks at */
  readonly name: string;
  /** what the figures mean, in a few words */
  readonly shows: string;
  /** it compares Census with PuppetDB, so it is left out where there is none */
  readonly needsPeer?: true;
  /** it takes so much time that `--only` must contain its whole name */
  readonly isLong?: true;
  /** by name, in the order they are printed */
  readonly metrics: Readonly<Record<string, Metric>>;
  /** Measures; a metric that this system cannot measure gets no samples. */
  readonly measure: (bench: Bench) => Promise<Samples>;
}

/** Whether a scenario is measured under `--only`. */
export function isChosen({ name, isLong }: Pick<Scenario, "name" | "isLong">, only: RegExp): boolean {
  return only.test(name) && (isLong !== true || only.source.includes(name));
}

/** What was measured, by the metric's name; one number for each repetition. */
export type Samples = Readonly<Record<string, readonly number[]>>;

/** Gathers samples repetition by repetition. */
export class SampleBook {
  readonly #samples = new Map<string, number[]>();

  /** Notes one number; undefined: could not be measured */
  add(metric: string, value: number | undefined): void {
    if (value === undefined) return;
    const samples = this.#samples.get(metric);
    if (samples === undefined) this.#samples.set(metric, [value]);
    else samples.push(value);
  }

  samples(): Samples {
    return Object.fromEntries(this.#samples);
  }
}

/** Whether a figure is as it should be. */
export function meets(value: number, target: Target): boolean {
  return "atLeast" in target ? value >= target.atLeast : value <= target.atMost;
}

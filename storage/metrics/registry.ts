import { Counter, ObservedCounter } from "./counter.ts";
import { Gauge } from "./gauge.ts";
import { Histogram } from "./histogram.ts";
import { Meter } from "./meter.ts";
import { systemTicks, type Ticks } from "./ticks.ts";
import { Timer } from "./timer.ts";

/** The groups of instruments; the last part of an MBean's domain (`reference/metrics.md §5`). */
export type Group = "mq" | "dlo" | "storage" | "population" | "database" | "admin" | "http" | "history";

/** The instruments that code writes to. */
interface Written {
  readonly counter: Counter;
  readonly meter: Meter;
  readonly histogram: Histogram;
  readonly timer: Timer;
}

export type Instrument = Written[keyof Written] | ObservedCounter | Gauge;

/** Names of instruments, each with its kind. */
export type Family = Readonly<Record<string, keyof Written>>;
export type Instruments<F extends Family> = { readonly [Name in keyof F]: Written[F[Name]] };

export interface Registered {
  readonly group: Group;
  readonly name: string;
  readonly instrument: Instrument;
}

const makers: { readonly [Kind in keyof Written]: (ticks: Ticks) => Written[Kind] } = {
  counter: () => new Counter(),
  meter: (ticks) => new Meter(ticks),
  histogram: (ticks) => new Histogram(ticks),
  timer: (ticks) => new Timer(ticks),
};

/** All instruments, by group and name. They are created when they are first named. */
export class Registry {
  readonly ticks: Ticks;
  readonly #groups = new Map<Group, Map<string, Instrument>>();

  constructor(ticks: Ticks = systemTicks) {
    this.ticks = ticks;
  }

  get<Kind extends keyof Written>(group: Group, name: string, kind: Kind): Written[Kind] {
    const known = this.find(group, name);
    if (known === undefined) {
      const made: Written[Kind] = makers[kind](this.ticks);
      this.#put(group, name, made);
      return made;
    }
    if (known.kind !== kind || known instanceof ObservedCounter) throw new Error(`${group} ${name} is a ${known.kind}`);
    return known as Written[Kind];
  }

  /** The instruments of a declared family, their names beginning with `prefix`. */
  family<F extends Family>(group: Group, family: F, prefix = ""): Instruments<F> {
    const made = Object.entries(family).map(([name, kind]) => [name, this.get(group, prefix + name, kind)]);
    return Object.fromEntries(made) as Instruments<F>;
  }

  /** Registers a value that is computed when it is read; replaces an earlier one with that name. */
  gauge(group: Group, name: string, read: Gauge["read"]): void {
    this.#put(group, name, new Gauge(read));
  }

  /** Registers a count that other code keeps; replaces an earlier instrument with that name. */
  observe(group: Group, name: string, read: () => number): void {
    this.#put(group, name, new ObservedCounter(read));
  }

  find(group: Group, name: string): Instrument | undefined {
    return this.#groups.get(group)?.get(name);
  }

  *[Symbol.iterator](): Generator<Registered> {
    for (const [group, instruments] of this.#groups) {
      for (const [name, instrument] of instruments) yield { group, name, instrument };
    }
  }

  #put(group: Group, name: string, instrument: Instrument): void {
    const instruments = this.#groups.get(group);
    if (instruments === undefined) this.#groups.set(group, new Map([[name, instrument]]));
    else instruments.set(name, instrument);
  }
}

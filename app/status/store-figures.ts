import type { Instrument, Registry } from "#storage/metrics/registry.ts";
import { version } from "../version.ts";

/** The figures of a server that its operators look at, and the instruments that have them. */
const instruments = {
  active_nodes: ["population", "num-active-nodes"],
  inactive_nodes: ["population", "num-inactive-nodes"],
  history_changes: ["history", "changes"],
  history_bytes: ["history", "bytes"],
  awaiting_retry: ["mq", "global.awaiting-retry"],
  dead_letters: ["dlo", "global.messages"],
} as const;

/** Figures of a server, as its status has them at level `debug`; null: not known. */
export type StoreFigures = Readonly<Record<keyof typeof instruments, number | null>> & {
  /** Of Census. */
  readonly version: string;
  readonly running_since: string;
};

/** @param startTime of the process, in ms since the epoch */
export async function storeFigures(registry: Registry, startTime: number): Promise<StoreFigures> {
  const read = Object.entries(instruments).map(
    async ([name, [group, instrument]]) => [name, await valueOf(registry.find(group, instrument))] as const,
  );
  const figures = Object.fromEntries(await Promise.all(read)) as Record<keyof typeof instruments, number | null>;
  return { version, running_since: new Date(startTime).toISOString(), ...figures };
}

async function valueOf(instrument: Instrument | undefined): Promise<number | null> {
  if (instrument?.kind === "gauge") return Number(await instrument.read());
  return instrument?.kind === "counter" ? instrument.count : null;
}

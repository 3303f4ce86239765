import { faultKinds, type FaultKind, faultNames } from "./kinds.ts";
import {
  type DatabaseDamageKind,
  databaseDamageNames,
  type LogDamageKind,
  logDamageNames,
  type QueueDamageKind,
  queueDamageNames,
} from "./damage.ts";
import { normalised } from "#test/hostile/judge.ts";

export type RoundKind = FaultKind | LogDamageKind | QueueDamageKind | DatabaseDamageKind;

export const roundNames: readonly RoundKind[] = [
  ...faultNames,
  ...logDamageNames,
  ...queueDamageNames,
  ...databaseDamageNames,
];

/** Figures of the rounds of one kind. */
export interface KindResult {
  rounds: number;
  /** Calls that failed on purpose, or files that were damaged. */
  injected: number;
  acknowledged: number;
  lost: number;
  doubled: number;
  damaged: number;
  /** Rounds after which the server did not start or did not run. */
  refusedStarts: number;
  /** Rounds in which the server ended by itself. */
  ended: number;
  /** Rounds in which damage was reported that cannot be repaired. */
  reported: number;
}

export interface FaultResult {
  readonly kinds: ReadonlyMap<RoundKind, KindResult>;
  readonly problems: readonly string[];
  /** Texts that commands were refused with, and how often. */
  readonly refusals: ReadonlyMap<string, number>;
  /** What servers printed that ended by themselves, did not start or reported damage, and how often. */
  readonly endings: ReadonlyMap<string, number>;
}

export function isFault(kind: RoundKind): kind is FaultKind {
  return (faultNames as readonly string[]).includes(kind);
}

/** Whether truncations fail in rounds of a kind. */
export function cutsFail(kind: RoundKind): boolean {
  return isFault(kind) && (faultKinds[kind].calls as readonly string[]).includes("truncate");
}

export function isDatabaseDamage(kind: RoundKind): kind is DatabaseDamageKind {
  return (databaseDamageNames as readonly string[]).includes(kind);
}

export function isQueueDamage(kind: RoundKind): kind is QueueDamageKind {
  return (queueDamageNames as readonly string[]).includes(kind);
}

/** Counts a text. */
export function count(map: Map<string, number>, text: string): void {
  map.set(text, (map.get(text) ?? 0) + 1);
}

/** A message without the path of the data directory. */
export function withoutPlace(text: string): string {
  return normalised(text.replaceAll(/\/\S*census-faults-\w+\/data-\d+/g, "DATA"));
}

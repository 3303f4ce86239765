import { outcomeColumns, type OutcomeRow } from "#storage/states/node-state.ts";

/** Fields of `reports` that the list shows. Times are ISO texts. */
export interface ReportsRow extends OutcomeRow {
  readonly hash: string;
  readonly certname: string;
  readonly environment: string | null;
  readonly start_time: string | null;
  readonly end_time: string | null;
  readonly noop: boolean | null;
  readonly configuration_version: string | null;
  readonly puppet_version: string | null;
  readonly producer: string | null;
  /** How many events of each status it has, where they are shown. */
  readonly [events: `events.${string}`]: number | undefined;
}

export const reportFields = [
  ...outcomeColumns,
  "hash",
  "certname",
  "environment",
  "start_time",
  "end_time",
  "noop",
  "configuration_version",
  "puppet_version",
  "producer",
] as const satisfies readonly (keyof ReportsRow)[];

import { type Operation, operationNames } from "./operation.ts";

/** What a run is to do (`reference/lifecycle.md §7.1`). */
export interface CleanRequest {
  readonly operations: ReadonlySet<Operation>;
  /** Nodes to be purged at most; null = all that are due. */
  readonly purgeLimit: number | null;
}

/** Every operation, without limits: what a `clean` that names none asks for. */
export const cleanEverything: CleanRequest = { operations: new Set(operationNames), purgeLimit: null };

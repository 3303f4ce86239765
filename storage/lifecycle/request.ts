import { type Operation, operationNames } from "./operation.ts";

/** The operations to run (`reference/lifecycle.md §7.1`). */
export interface CleanRequest {
  readonly operations: ReadonlySet<Operation>;
  /** Maximum nodes to purge; null = all due nodes. */
  readonly purgeLimit: number | null;
}

/** All operations, without limits: the meaning of a `clean` that names none. */
export const cleanEverything: CleanRequest = { operations: new Set(operationNames), purgeLimit: null };

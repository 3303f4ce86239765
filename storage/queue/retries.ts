import { CensusError, messageOf } from "../errors.ts";

/** After its n-th failure a command waits so many seconds; after the last one it goes to the dead letter office. */
export const RETRY_AFTER: readonly number[] = [10, 60, 600, 3600, 3600];

/** What we expected is said in a line; the rest with where it comes from. */
export function diagnosisOf(error: Error): string {
  return error instanceof CensusError ? messageOf(error) : (error.stack ?? messageOf(error));
}

import type { JSX } from "preact";

export interface CountCellProps {
  /** Undefined while it is on its way. */
  readonly count: number | undefined;
  /** Whether any is a failure. */
  readonly isFailure?: boolean;
}

/** A count in a table: none is quiet, a failure is not. */
export function CountCell({ count, isFailure = false }: CountCellProps): JSX.Element {
  if (count === undefined) return <span class="table-waiting" />;
  if (count === 0) return <span class="muted">–</span>;
  const text = count.toLocaleString();
  return isFailure ? <strong class="state-failed">{text}</strong> : <>{text}</>;
}

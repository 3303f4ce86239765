import type { JSX } from "preact";

export interface VolatileChoiceProps {
  readonly withVolatile: boolean;
  readonly onVolatile: (withVolatile: boolean) => void;
  /** Differences that are left out. */
  readonly left: number;
}

/** Shows or leaves out what differs from one run to the next. */
export function VolatileChoice({ withVolatile, onVolatile, left }: VolatileChoiceProps): JSX.Element {
  return (
    <label>
      <input type="checkbox" checked={withVolatile} onChange={(event) => onVolatile(event.currentTarget.checked)} />{" "}
      Include values that always differ
      {left === 0 ? "" : ` (${left.toLocaleString()} not shown)`}
    </label>
  );
}

import type { JSX } from "preact";
import { pathText, type ValueChange } from "#storage/diff/values.ts";
import type { Json } from "#storage/json.ts";
import { useGrowing } from "../list/growing.tsx";
import { isLongText, TextChange } from "../report/change.tsx";
import { beginning } from "../value/text.ts";
import { marked, Value } from "../value/value.tsx";

export interface ValueChangesProps {
  /** What is compared, for screen readers: "Facts". */
  readonly label: string;
  readonly changes: readonly ValueChange[];
  /** Names of the two sides. */
  readonly sides: readonly [from: string, to: string];
  /** The name of the place of a change; default: its path. */
  readonly nameOf?: (change: ValueChange) => string;
}

/** Characters of a value, and of a name. */
const SHOWN = 300;

/** Places where two sides differ, with the values of both. */
export function ValueChanges({ label, changes, sides, nameOf = pathOf }: ValueChangesProps): JSX.Element {
  const { shown, more } = useGrowing(changes, { step: 100, noun: "differences" });
  return (
    <>
      <table class="compare-values" aria-label={label}>
        <thead>
          <tr>
            <th scope="col">Name</th>
            {sides.map((side, index) => (
              <th key={index === 0 ? "from" : "to"} scope="col">
                <bdi>{marked(beginning(side, SHOWN))}</bdi>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((change) => (
            <tr key={JSON.stringify(change.path)}>
              <th scope="row">
                <bdi>{marked(beginning(nameOf(change), SHOWN))}</bdi>
              </th>
              <Values change={change} />
            </tr>
          ))}
        </tbody>
      </table>
      {more}
    </>
  );
}

function pathOf({ path }: ValueChange): string {
  return pathText(path);
}

function Values({ change }: { readonly change: ValueChange }): JSX.Element {
  if (change.kind === "changed") {
    const { from, to } = change;
    if (typeof from === "string" && typeof to === "string" && (isLongText(from) || isLongText(to))) {
      return (
        <td colSpan={2}>
          <TextChange old={from} now={to} />
        </td>
      );
    }
  }
  return (
    <>
      <Side value={change.kind === "added" ? undefined : change.from} />
      <Side value={change.kind === "removed" ? undefined : change.to} />
    </>
  );
}

function Side({ value }: { readonly value: Json | undefined }): JSX.Element {
  return (
    <td>
      {value === undefined ? (
        <span class="muted">none</span>
      ) : (
        <Value value={value} limit={SHOWN} quoted={value === ""} />
      )}
    </td>
  );
}

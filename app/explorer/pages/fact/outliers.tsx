import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { type Json, stringifyJson } from "#storage/json.ts";
import { shareText } from "../charts/axis.ts";
import { Panel } from "../frame/panel.tsx";
import type { FactPath } from "../pql/fact-path.ts";
import { Value } from "../value/value.tsx";
import type { Outlier } from "./distribution.ts";

export interface OutliersProps {
  readonly path: FactPath;
  readonly outliers: readonly Outlier[];
  /** Nodes that have the fact. */
  readonly total: number;
  readonly hrefOf: (value: Json) => string;
}

/** Rows before "more". */
const FEW = 10;

const reasons: Readonly<Record<Outlier["why"], string>> = {
  rare: "less than 1 % of the nodes",
  low: "far below the others",
  high: "far above the others",
};

/** Unusual values, and the nodes that have them. */
export function Outliers({ path, outliers, total, hrefOf }: OutliersProps): JSX.Element {
  const [isLong, setIsLong] = useState(false);
  const name = path.findLast((part) => typeof part === "string") ?? "";
  return (
    <Panel title={`Outliers: ${outliers.length.toLocaleString()}`}>
      <table>
        <thead>
          <tr>
            <th scope="col">Value</th>
            <th scope="col" class="number">
              Nodes
            </th>
            <th scope="col">Why</th>
          </tr>
        </thead>
        <tbody>
          {(isLong ? outliers : outliers.slice(0, FEW)).map(({ value, count, why }) => (
            <tr key={stringifyJson(value)}>
              <td>
                <a href={hrefOf(value)}>
                  <Value value={value} name={name} limit={200} />
                </a>
              </td>
              <td class="number">{count.toLocaleString()}</td>
              <td class="muted">
                {reasons[why]}
                {why === "rare" ? ` (${shareText(count, total)})` : ""}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {outliers.length > FEW ? (
        <button type="button" class="plain" onClick={() => setIsLong(!isLong)}>
          {isLong ? "Show fewer" : `Show all ${outliers.length.toLocaleString()}`}
        </button>
      ) : null}
    </Panel>
  );
}

import { Age } from "../time/age.tsx";
import type { Column } from "../table/column.ts";
import type { SinceOf } from "./change.ts";

/** Since when a value is as it is; no column where no changes are recorded. */
export function sinceColumn<Row extends { readonly certname: string; readonly provider?: string }>(
  since: SinceOf | undefined,
): readonly Column<Row>[] {
  if (since === undefined) return [];
  return [
    {
      key: "since",
      title: "Since",
      meaning: "When it changed last, as far as changes are recorded",
      width: 110,
      cell: (row) => {
        const time = since(row);
        return time === undefined ? <span class="table-waiting" /> : <Age time={time} none="–" />;
      },
    },
  ];
}

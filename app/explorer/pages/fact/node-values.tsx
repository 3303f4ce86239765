import type { JSX } from "preact";
import type { Json } from "#storage/json.ts";
import { sinceColumn } from "../changes/since-column.tsx";
import { type SinceOf, useSince } from "../changes/change.ts";
import { useParameter } from "../address/address.ts";
import { type Sort, sort } from "../address/codecs.ts";
import type { FactPath } from "../pql/fact-path.ts";
import { certnameColumn } from "../table/cells.tsx";
import type { Column } from "../table/column.ts";
import { DataTable } from "../table/data-table.tsx";
import { useQuerySource } from "../table/query-source.ts";
import { Value } from "../value/value.tsx";

interface NodeValue {
  readonly certname: string;
  readonly value: Json;
}

export interface NodeValuesProps {
  readonly path: FactPath;
  /** `facts` are facts as a whole, `fact_contents` the values in them. */
  readonly entity: "facts" | "fact_contents";
  /** A condition on that entity. */
  readonly where: string | undefined;
}

const sortCodec = sort({ field: "value", descending: false });

/** Which node has which value. */
export function NodeValues({ path, entity, where }: NodeValuesProps): JSX.Element {
  const [order, setOrder] = useParameter<Sort>("sort", sortCodec);
  const name = path.findLast((part) => typeof part === "string") ?? "";
  const direction = order.descending ? " desc" : "";
  const source = useQuerySource<NodeValue>({
    name: "Nodes with their values",
    entity,
    select: ["certname", "value"],
    where,
    orderBy: order.field === "certname" ? [`certname${direction}`] : [`value${direction}`, "certname"],
  });
  const shown = source.seen.flatMap(({ rows }) => rows.map(({ certname }) => certname));
  const since = useSince({ entity: "fact_changes", what: path.join(".") }, entity === "facts" ? [] : shown);
  const columns = columnsOf(name, entity === "facts" ? undefined : since);
  return (
    <DataTable<NodeValue>
      name="Nodes with this fact"
      columns={columns}
      source={source}
      sort={order}
      onSort={(next) => setOrder(next)}
    />
  );
}

function columnsOf(name: string, since: SinceOf | undefined): Column<NodeValue>[] {
  return [
    { ...certnameColumn<NodeValue>(), fits: 380, grows: false },
    {
      key: "value",
      title: "Value",
      width: 320,
      grows: true,
      sort: "value",
      cell: ({ value }) => <Value value={value} name={name} limit={300} />,
    },
    ...sinceColumn<NodeValue>(since),
  ];
}

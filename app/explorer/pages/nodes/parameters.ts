import { type ChangeOptions, useParameter, useText } from "../address/address.ts";
import { flag, list, oneOf, type Sort, sort as sortCodec } from "../address/codecs.ts";
import { type Filter, filtersCodec } from "../facets/filters.ts";
import { signal } from "@preact/signals";
import { stored } from "../data/stored.ts";

const storedFacts = stored<readonly string[]>("facts", {
  read: (value) => (Array.isArray(value) ? value.filter((one) => typeof one === "string") : undefined),
  fallback: [],
});

/** Facts that are facets in this browser, as fields: `facts.timezone`. */
export const pinnedFacts = signal(storedFacts.read());

/** Shows a fact as a facet from now on, in this browser. */
export function pinFact(field: string): void {
  if (!pinnedFacts.value.includes(field)) keep([...pinnedFacts.value, field]);
}

/** No longer shows a fact as a facet. */
export function unpinFact(field: string): void {
  keep(pinnedFacts.value.filter((one) => one !== field));
}

function keep(fields: readonly string[]): void {
  pinnedFacts.value = fields;
  storedFacts.write(fields);
}

const firstColumns = ["certname", "state", "report_environment", "report_timestamp", "catalogs.producer_timestamp"];

const usualColumns: readonly string[] = [...firstColumns, "events.failure", "events.success", "events.skipped"];

/** Of nodes whose runs only simulate: they change and skip nothing. */
const pendingColumns: readonly string[] = [...firstColumns, "events.noop", "events.failure"];

/** Columns of the table unless others are chosen. */
export function defaultColumns(filters: readonly Filter[]): readonly string[] {
  const isPending = filters.some(
    ({ field, value, excludes }) =>
      !excludes && (field === "state" ? value === "pending" : field === "latest_report_noop" && value === true),
  );
  return isPending ? pendingColumns : usualColumns;
}

const usualCodec = list(usualColumns);
const pendingCodec = list(pendingColumns);
const orderCodec = sortCodec({ field: "certname", descending: false });
const groupCodec = list();
const selectionCodec = list();
const activityCodec = oneOf(["active", "inactive", "any"], "active");

type Parameter<T> = readonly [value: T, change: (value: T, options?: ChangeOptions) => void];

/** Everything that the address says about the table of nodes. */
export interface NodesParameters {
  readonly line: Parameter<string>;
  readonly filters: Parameter<readonly Filter[]>;
  readonly columns: Parameter<readonly string[]>;
  readonly sort: Parameter<Sort>;
  /** Fields that nodes are counted by; empty: nodes are listed. */
  readonly group: Parameter<readonly string[]>;
  readonly selected: Parameter<readonly string[]>;
  /** Whether it is shown what the nodes share. */
  readonly shares: Parameter<boolean>;
  /** Whether nodes are shown that are deactivated or expired. */
  readonly activity: Parameter<"active" | "inactive" | "any">;
}

/** The parameters of the address and functions that change them. */
export function useNodesParameters(): NodesParameters {
  const filters = useParameter("f", filtersCodec);
  const columnsCodec = defaultColumns(filters[0]) === pendingColumns ? pendingCodec : usualCodec;
  return {
    line: useText("q"),
    filters,
    columns: useParameter("cols", columnsCodec),
    sort: useParameter("sort", orderCodec),
    group: useParameter("group", groupCodec),
    selected: useParameter("sel", selectionCodec),
    shares: useParameter("share", flag),
    activity: useParameter("nodes", activityCodec),
  };
}

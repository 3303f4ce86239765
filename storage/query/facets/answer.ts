import { count, json, list, object, optional, type Shaped, text } from "../../shape.ts";

const value = object({ value: json(), count: count(), distinct: optional(count("Of the field `distinct`")) });

/** A value, with its count. */
export type FacetValue = Shaped<typeof value>;

const facet = object({
  fields: list(text()),
  distinct: count("The number of values; with `like`, of those that contain its text"),
  missing: count("The count of rows without a value in any of the fields"),
  others: count("The total of the counts of values that are not listed"),
  values: list(
    value,
    "The most frequent first, with equal counts in the order of their values; of several fields each value is an array",
  ),
});

/** The values of a facet. */
export type Facet = Shaped<typeof facet>;

/** Counts of fields' values. */
export const facetsShape = object({
  total: count("Rows that meet every filter"),
  facets: list(facet),
});

export type Facets = Shaped<typeof facetsShape>;

import { CensusError } from "../errors.ts";
import { dottedField, readPath } from "../query/pql/path-text.ts";

/** A field of a node's inventory. */
export interface InventoryField {
  /** As PQL writes it, and as the rows of `inventory` have it: `facts.os.family`. */
  readonly pql: string;
  /** As variables and labels of other tools are called: `os_family`. */
  readonly label: string;
}

/**
 * Reads a field: `environment`, `trusted.extensions.pp_role`, or a fact with or without `facts.` before it.
 * @param option where it was given, for the message
 * @throws CensusError "bad-input" for anything else
 */
export function inventoryField(option: string, given: string): InventoryField {
  const path = readPath(given);
  // The name of a fact with other characters is rather a mistake: it is quoted where it is meant.
  if (path === undefined || !/^["A-Za-z_]\w*/v.test(given) || /^\w+[^.\w]/v.test(given)) {
    throw new CensusError(
      "bad-input",
      `${option}: ${JSON.stringify(given)} is not a field; give environment, a fact such as os.family, or ` +
        `trusted.extensions.pp_role. Quote parts that contain a dot, and unusual names: trusted.extensions."1.3.6"`,
    );
  }
  const [first = "", ...rest] = path;
  if (given === "environment") return { pql: given, label: given };
  const isRoot = rest.length > 0 && (first === "facts" || first === "trusted");
  const pql = isRoot ? dottedField(first, rest) : dottedField("facts", path);
  const shown = pql.replace(/^(?:facts|trusted\.extensions|trusted)\./, "");
  const label = shown.replaceAll(/\W+/g, "_").replaceAll(/^_+|_+$/g, "");
  return { pql, label: /^\d|^$/.test(label) ? `_${label}` : label };
}

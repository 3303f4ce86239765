import { CensusError } from "../errors.ts";

/** A field of a node's inventory. */
export interface InventoryField {
  /** As PQL writes it, and as the rows of `inventory` have it: `facts.os.family`. */
  readonly pql: string;
  /** As variables and labels of other tools are called: `os_family`. */
  readonly label: string;
}

const PART = String.raw`(?:[A-Za-z_]\w*|"(?:[^"\\]|\\.)+")`;
const field = new RegExp(String.raw`^(?:environment|(?:facts|trusted)(?:\.${PART})+)$`, "v");
const path = new RegExp(String.raw`^${PART}(?:\.${PART})*$`, "v");

/**
 * Reads a field: `environment`, `trusted.extensions.pp_role`, or a fact with or without `facts.` before it.
 * @param option where it was given, for the message
 * @throws CensusError "bad-input" for anything else
 */
export function inventoryField(option: string, given: string): InventoryField {
  const text = field.test(given) || !path.test(given) ? given : `facts.${given}`;
  if (!field.test(text)) {
    throw new CensusError(
      "bad-input",
      `${option}: ${JSON.stringify(given)} is not a field; give environment, a fact such as os.family, or ` +
        `trusted.extensions.pp_role. Quote parts with other characters: mountpoints."/".size`,
    );
  }
  const label = text
    .replace(/^(?:facts|trusted\.extensions|trusted)\./, "")
    .replaceAll(/\W+/g, "_")
    .replaceAll(/^_+|_+$/g, "");
  return { pql: text, label: /^\d|^$/.test(label) ? `_${label}` : label };
}

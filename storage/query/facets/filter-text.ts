import { type Json, parseJson } from "../../json.ts";
import { isField } from "../pql/field-text.ts";

/** A filter as it is written in an address. */
export interface FilterText {
  readonly field: string;
  readonly excludes: boolean;
  /** What is written as the value. */
  readonly written: string;
  /** The value; undefined when what is written is no JSON. */
  readonly value: Json | undefined;
}

/**
 * Reads `FIELD=JSON` or `FIELD!=JSON`. A name in quotes may contain either sign: the first place with a field before it and
 * JSON behind it divides the text, else the first place with a field before it.
 * @returns undefined when no sign has a field before it
 */
export function readFilterText(text: string): FilterText | undefined {
  const readings = [...text.matchAll(/!?=/g)]
    .map(({ 0: sign, index }) => ({ field: text.slice(0, index), sign, written: text.slice(index + sign.length) }))
    .filter(({ field }) => isField(field))
    .map(({ field, sign, written }) => ({ field, excludes: sign === "!=", written, value: readJson(written) }));
  return readings.find(({ value }) => value !== undefined) ?? readings[0];
}

function readJson(text: string): Json | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

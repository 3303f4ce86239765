import { type Json, stringifyJson } from "#storage/json.ts";
import { JolokiaFailure } from "./failure.ts";

/** Options of a response (`reference/metrics.md §1`). A limit of 0 means none. */
export interface ProcessingOptions {
  /** An attribute that cannot be read has its error as value, instead of failing the request. */
  readonly ignoreErrors: boolean;
  readonly maxDepth: number;
  readonly maxCollectionSize: number;
  readonly maxObjects: number;
  readonly serializeException: boolean;
  readonly includeStackTrace: boolean;
  /** Names have their properties in the order of the keys, not as they were written. */
  readonly canonicalNaming: boolean;
}

/** The defaults; `version` shows them. */
export const defaultOptions: ProcessingOptions = {
  ignoreErrors: false,
  maxDepth: 0,
  maxCollectionSize: 0,
  maxObjects: 0,
  serializeException: false,
  includeStackTrace: false,
  canonicalNaming: true,
};

/**
 * The options of a request, which override existing ones.
 * @param given from the URL, or a POST's `config`; unknown names are ignored
 * @throws JolokiaFailure for a limit that is not a number
 */
export function readOptions(
  given: Readonly<Record<string, Json | undefined>>,
  before: ProcessingOptions,
): ProcessingOptions {
  const flag = (name: keyof ProcessingOptions, fallback: boolean): boolean => {
    const value = given[name];
    return value === undefined ? fallback : /^(?:true|yes|on|1)$/i.test(optionText(value));
  };
  const limit = (name: keyof ProcessingOptions, fallback: number): number => {
    const value = given[name];
    if (value === undefined) return fallback;
    if (!/^[+-]?\d+$/.test(optionText(value))) {
      throw new JolokiaFailure("number", `For input string: "${optionText(value)}"`);
    }
    return Math.max(0, Number(value));
  };
  return {
    ignoreErrors: flag("ignoreErrors", before.ignoreErrors),
    maxDepth: limit("maxDepth", before.maxDepth),
    maxCollectionSize: limit("maxCollectionSize", before.maxCollectionSize),
    maxObjects: limit("maxObjects", before.maxObjects),
    serializeException: flag("serializeException", before.serializeException),
    includeStackTrace: flag("includeStackTrace", before.includeStackTrace),
    canonicalNaming: flag("canonicalNaming", before.canonicalNaming),
  };
}

/** A value of a request as text: requests write numbers and flags either way. */
export function optionText(value: Json): string {
  return typeof value === "string" ? value : stringifyJson(value);
}

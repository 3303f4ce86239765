import { CensusError } from "../errors.ts";
import type { MemoryBudget } from "../memory/budget.ts";
import type { CommandName } from "./commands.ts";
import { MAX_DOCUMENT_DEPTH } from "./clean.ts";
import { plainOrQuoted } from "./problems.ts";

/** Limits of one command. A part is an element of a top-level list or object: a fact, a resource, a log line. */
export interface CommandBounds {
  /** Bytes of the payload, unpacked. */
  readonly unpackedBytes: number;
  /** The same for a report, whose events are stored separately as well. */
  readonly reportBytes: number;
  /** Values of the payload, including lists and objects. */
  readonly values: number;
  /** The same for a fact set, whose values are stored individually. */
  readonly factsetValues: number;
  /** Bytes of one part. */
  readonly partBytes: number;
  /** Nesting depth of lists and objects; at most {@link MAX_DOCUMENT_DEPTH}. */
  readonly depth: number;
}

const MIB = 1024 * 1024;

/**
 * Several times what large sites send: catalogs of 40 MB, fact sets of several MB, reports with 100,000 resources.
 * Puppet's agent warns at fact sets of 2,048 values.
 */
export const defaultBounds: CommandBounds = {
  unpackedBytes: 128 * MIB,
  reportBytes: 128 * MIB,
  values: 5_000_000,
  factsetValues: 250_000,
  partBytes: 8 * MIB,
  depth: MAX_DOCUMENT_DEPTH,
};

/** Limits of commands that another process has accepted. */
export const boundsOfAccepted: CommandBounds = {
  unpackedBytes: 2 ** 32,
  reportBytes: 2 ** 32,
  partBytes: 2 ** 32,
  values: Infinity,
  factsetValues: Infinity,
  depth: defaultBounds.depth,
};

/**
 * The given bounds, with defaults for the others, each reduced to what memory allows.
 * @param largest bytes of the largest command and the largest report that can be prepared
 */
export function boundsWithin(
  given: Partial<CommandBounds>,
  { largestCommand: largest, largestReport }: Pick<MemoryBudget, "largestCommand" | "largestReport">,
): CommandBounds {
  const wanted = { ...defaultBounds, ...given };
  return {
    ...wanted,
    unpackedBytes: Math.min(wanted.unpackedBytes, largest),
    reportBytes: Math.min(wanted.unpackedBytes, largestReport),
    values: Math.min(wanted.values, Math.floor(largest / 32)),
    // These are stored individually.
    factsetValues: Math.min(wanted.factsetValues, Math.floor(largest / 256)),
  };
}

/** The settings of the bounds (`app/settings/sections/census.ts`), as messages name them. */
export const boundSettings = {
  unpackedBytes: "max-command-unpacked-size",
  reportBytes: "max-command-unpacked-size",
  values: "max-command-values",
  factsetValues: "max-factset-values",
  partBytes: "max-command-part-size",
  depth: "max-command-depth",
} as const satisfies Record<keyof CommandBounds, string>;

/** A command that exceeds a bound, and so can never be stored. */
export class BoundsError extends CensusError {
  /** The bound that it exceeds. */
  readonly bound: keyof CommandBounds;

  constructor(bound: keyof CommandBounds, message: string) {
    super("bad-input", message);
    this.name = "BoundsError";
    this.bound = bound;
  }
}

/** The command that a scan is about. */
export interface Surveyed {
  readonly command: CommandName;
  readonly version: number;
  readonly certname: string;
}

/** The bound on values for a command. */
export function boundOnValues(command: CommandName): "factsetValues" | "values" {
  return command === "replace facts" ? "factsetValues" : "values";
}

/** The bound on bytes for a command. */
export function boundOnBytes(command: CommandName): "reportBytes" | "unpackedBytes" {
  return command === "store report" ? "reportBytes" : "unpackedBytes";
}

/** The error of a command that exceeds a bound. @param what e.g. `values.disks is larger than 99 bytes` */
export function exceeded(
  { command, version, certname }: Surveyed,
  bound: keyof CommandBounds,
  what: string,
): BoundsError {
  return new BoundsError(
    bound,
    `${command} v${version} of ${plainOrQuoted(certname)}: ${what} (${boundSettings[bound]})`,
  );
}

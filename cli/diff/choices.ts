import type { DiffOptions } from "#storage/diff/nodes.ts";
import { type DiffPart, diffParts } from "#storage/diff/parts.ts";
import { type Pattern, visibilityOf, volatilePatterns } from "#storage/diff/visibility.ts";
import { UsageError } from "../errors.ts";

/** The options that choose the part of a difference to show. */
export interface Choices {
  /** Parts with commas between them; undefined: all. */
  readonly only: string | undefined;
  /** `PART:PATTERN` each. */
  readonly ignore: readonly string[];
  /** Names of parameters, several with commas. */
  readonly ignoreParameter: readonly string[];
  readonly ignoreTags: boolean;
  readonly locations: boolean;
  /** Show what always differs as well. */
  readonly volatile: boolean;
}

/** @throws UsageError naming what cannot be understood, and what could be */
export function readChoices({ only, ignore, ignoreParameter, ignoreTags, locations, volatile }: Choices): DiffOptions {
  const ignored = [
    ...ignore.map(readPattern),
    ...ignoreParameter
      .flatMap((names) => names.split(","))
      .map((name): Pattern => ({ part: "resources", glob: `*::${name}` })),
  ];
  return {
    parts: new Set(["nodes", ...(only === undefined ? diffParts : only.split(",").map(readPart))]),
    visibility: visibilityOf(ignored, volatile ? [] : volatilePatterns),
    tags: !ignoreTags,
    locations,
  };
}

function readPart(text: string): DiffPart {
  const part = diffParts.find((name) => name === text && name !== "nodes");
  if (part !== undefined) return part;
  throw new UsageError(`diff: --only must list some of ${diffParts.slice(1).join(",")}, not ${JSON.stringify(text)}`);
}

function readPattern(text: string): Pattern {
  const [, name, glob] = /^(\w+):(.+)$/s.exec(text) ?? [];
  const part = diffParts.find((known) => known === name);
  if (part !== undefined && glob !== undefined) return { part, glob };
  throw new UsageError(
    `diff: --ignore must be PART:PATTERN, e.g. 'facts:uptime*', with PART one of ${diffParts.join(", ")}, not ${JSON.stringify(text)}`,
  );
}

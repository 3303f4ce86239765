import { parseSource, type ResourceRef, refText } from "../value/resource-ref.ts";
import { friendly } from "#storage/display/friendly.ts";
import type { LogLine } from "./rows.ts";

/** A line of a log with what its source names. */
export interface ParsedLine {
  readonly line: LogLine;
  /** Undefined when it is about no resource. */
  readonly resource: ResourceRef | undefined;
  readonly property: string | undefined;
  /** `refText` of the resource; otherwise the source as it is. */
  readonly source: string;
}

/** Reads the sources of a log. */
export function parsedLines(lines: readonly LogLine[]): readonly ParsedLine[] {
  return lines.map((line) => {
    const { resource, property } = (line.source === null ? undefined : parseSource(line.source)) ?? {};
    return { line, resource, property, source: resource === undefined ? (line.source ?? "") : refText(resource) };
  });
}

export interface MessageOptions {
  /** The node's name, which is left out. */
  readonly certname: string;
  /** As the agent sent it. */
  readonly isRaw: boolean;
}

/** The message of a line as it is shown. */
export function lineMessage({ line, property }: ParsedLine, { certname, isRaw }: MessageOptions): string {
  return isRaw ? line.message : friendly(line.message, { certname, property });
}

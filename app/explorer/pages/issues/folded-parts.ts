import { shortFailure } from "#storage/display/short-failure.ts";

/**
 * The message of an issue for lists: without what all messages of its kind say, so that what is particular comes first. The
 * page of the issue has the whole message.
 */
export function shortMessage(message: string): string {
  const short = shortFailure(message, { certname: "<node>" });
  return short === "" ? message : short;
}

/** A part of a message: as it is, or the name of what was folded. */
export interface FoldedPart {
  readonly text: string;
  readonly isFolded: boolean;
}

const FOLDED =
  /<(node|hash|uuid|ip|time|tmp|environment|object|call|log|sid|device|arch|size|state|process|title|name|path|n)>/g;

/** The parts of an issue's message or title: `port <n> is taken` has three. */
export function foldedParts(message: string): readonly FoldedPart[] {
  // Splitting by a group puts the names at the odd places.
  return message.split(FOLDED).flatMap((text, index) => (text === "" ? [] : [{ text, isFolded: index % 2 === 1 }]));
}

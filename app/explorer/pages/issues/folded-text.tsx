import type { JSX } from "preact";
import { SHOWN_CHARACTERS, beginning } from "../value/text.ts";
import { marked } from "../value/value.tsx";
import { foldedParts } from "./folded-parts.ts";

/** Names of the folded parts, for tool tips. */
const meanings: Readonly<Record<string, string>> = {
  node: "the node's own name",
  hash: "a checksum or other hexadecimal digits",
  uuid: "a UUID",
  ip: "an address",
  time: "a time",
  tmp: "a temporary name",
  environment: "an environment",
  object: "an object of the program",
  call: "a call of the system",
  log: "time and host of a line of a log",
  sid: "the identifier of an account",
  device: "a disk or a network interface",
  arch: "an architecture",
  size: "a size",
  state: "the state of a process",
  process: "a program",
  n: "a number",
};

/** A message in which what differs between nodes is a chip: `<hash>`, `<n>`. */
export function FoldedText({
  text,
  limit = SHOWN_CHARACTERS,
}: {
  readonly text: string;
  readonly limit?: number;
}): JSX.Element {
  const shown = beginning(text, limit);
  return (
    <bdi class="folded-text">
      {foldedParts(shown).map((part, index) =>
        part.isFolded ? (
          // Parts have no identity but their place.
          // oxlint-disable-next-line react/no-array-index-key -- see above
          <span key={index} class="folded-part" title={`Differs: ${meanings[part.text] ?? part.text}`}>
            {part.text}
          </span>
        ) : (
          marked(part.text)
        ),
      )}
      {shown.length === text.length ? "" : "…"}
    </bdi>
  );
}

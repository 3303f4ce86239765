import { CODE_FOLDER } from "./short-file.ts";

/** The parts that `friendly` omits because every such line has them. */
export interface FriendlyContext {
  /** The node whose line it is; empty: not known. */
  readonly certname: string;
  /** The property that the line is about, if that is shown separately. */
  readonly property?: string | undefined;
}

const rules: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  [/^Could not retrieve catalog from remote server: /, "No catalog: "],
  [/Error \d{3} on SERVER: /g, ""],
  [/Server Error: /g, ""],
  [/Evaluation Error: (?:Error while evaluating an? [\w ']{3,40}, )?/g, ""],
  [/\(file: (\S[^()]*), line: (\d+)(?:, column: \d+)?\)/g, "($1:$2)"],
  [CODE_FOLDER, ""],
  [/(\{(?:sha256|sha1|md5|sha384|sha512|sha256lite|md5lite)\}[0-9a-f]{8})[0-9a-f]{8,}/g, "$1…"],
];

/**
 * A message without the parts that every such line has: prefixes, the node's own name, code folders; long checksums are
 * shortened.
 */
export function friendly(message: string, { certname, property }: FriendlyContext): string {
  // A longer message would take long.
  if (message.length > 50_000) return message;
  const own = certname === "" ? message : message.replaceAll(` on node ${certname}`, "");
  const text = rules.reduce((before, [pattern, replacement]) => before.replace(pattern, replacement), own);
  return property !== undefined && text.startsWith(`${property} changed `) ? text.slice(property.length + 1) : text;
}

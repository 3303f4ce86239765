/**
 * The differences between two messages of the same failure, as an ordered table of rules. A changed table gets another
 * version, which is part of issues' ids, so that an old link can be recognised as old.
 */

export const rulesVersion = "v1";

/** Something in a text that is replaced by its name. */
export interface FoldRule {
  readonly name: string;
  /**
   * Global. Texts are hostile: for a text of {@link LONGEST} characters it must not take more than some milliseconds,
   * so it must not match the same characters in two ways.
   */
  readonly pattern: RegExp;
  /** As of `String.replace`. */
  readonly by: string;
}

/** Maximum characters of a text that are read; the rest does not distinguish failures. */
const LONGEST = 1000;

/** Maximum characters of the result. */
const LONGEST_FOLDED = 600;

/** In the order of application; the node's own name is replaced before all of them. */
export const foldRules: readonly FoldRule[] = [
  {
    name: "old and new value of a property",
    pattern: /\bchange from (?:(?! failed)[^])+ failed\b/g,
    by: "change from <value> to <value> failed",
  },
  { name: "folder of an environment", pattern: /(?:\/[\w.+-]+)*\/environments\/[\w-]+\//g, by: "" },
  {
    name: "temporary file",
    pattern: /(?<![\w.-])((?:\/private)?(?:\/var)?\/tmp\/|[A-Za-z]:\\[^\s:]{0,100}\\Temp\\)[^\s'",;:()[\]]+/g,
    by: "$1<tmp>",
  },
  { name: "name of a temporary file", pattern: /(?<![\w.-])[\w.-]{0,80}?20\d{6}-\d+-[a-z0-9]+(?![\w-])/g, by: "<tmp>" },
  {
    name: "date and time",
    pattern:
      /(?<!\d)\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?: ?(?:Z\b|UTC\b|[+-]\d\d:?\d\d(?!\d)))?)?(?!\d)/g,
    by: "<time>",
  },
  {
    name: "date and time in words",
    pattern:
      /\b(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),? )?(?:\d{1,2} (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)|(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) {1,2}\d{1,2})(?: \d{4})? \d\d:\d\d:\d\d(?: (?:[A-Z]{3,4}|[+-]\d{4})\b)?(?: \d{4}\b)?/g,
    by: "<time>",
  },
  { name: "time", pattern: /(?<![\d:.])\d{1,2}:\d\d:\d\d(?:[.,]\d{1,9})?(?![\d:])/g, by: "<time>" },
  {
    name: "UUID",
    pattern: /(?<![\da-z])[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}(?![\da-z])/gi,
    by: "<uuid>",
  },
  {
    name: "checksum with its kind",
    pattern: /\{(?:md5|mtime|ctime|sha1|sha224|sha256|sha384|sha512)(?:lite)?\}[^\s'",;)\]}]+/gi,
    by: "<hash>",
  },
  { name: "hardware address", pattern: /(?<![\da-f:-])[\da-f]{2}(?:[:-][\da-f]{2}){5}(?![\da-f:-])/gi, by: "<ip>" },
  {
    name: "IPv4 address",
    pattern: /(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?:\/\d{1,2})?(?:(?=:\d):\d{1,5})?(?![\d.]*\d)/g,
    by: "<ip>",
  },
  {
    name: "IPv6 address",
    pattern: /(?<![\w:.])(?=[\da-f:]*:[\da-f]*:)[\da-f]{0,4}(?::[\da-f]{0,4}){2,7}(?:\/\d{1,3})?(?![\w:])/gi,
    by: "<ip>",
  },
  {
    name: "hexadecimal digits",
    pattern: /(?<![\da-z])(?:0x)?(?=[\da-f]*\d)(?=\d*[a-f])[\da-f]{8,}(?![\da-z])/gi,
    by: "<hash>",
  },
  {
    name: "number",
    // A status of HTTP or of a process identifies the failure.
    pattern: /(?<!\b(?:error|http|status|code|returned)[ :=]{1,2})(?<![\d.])(?:\d+(?:\.\d+)+|\d{2,})/gi,
    by: "<n>",
  },
  { name: "blanks", pattern: /\s+/g, by: " " },
];

/**
 * A text in which everything specific to a node or a run is replaced by a placeholder.
 * @param certname of the node whose text it is
 * @example fold("Could not connect to 10.0.0.1:8140 from web-01", "web-01") // Could not connect to <ip> from <node>
 */
export function fold(text: string, certname: string): string {
  const head = text.slice(0, LONGEST);
  const ownName = certname === "" ? head : head.replaceAll(certname, "<node>");
  const folded = foldRules.reduce((result, { pattern, by }) => result.replace(pattern, by), ownName);
  return folded.trim().slice(0, LONGEST_FOLDED).toWellFormed();
}

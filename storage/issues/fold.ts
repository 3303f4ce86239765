/*
 * What differs between messages of the same failure: a table of rules, and the node's own names. A changed table gets
 * another version, which is part of issues' ids, so that an old link can be recognised as old.
 */

export const rulesVersion = "v2";

/** Something in a text that is replaced by its name. */
interface FoldRule {
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

const month = "(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)";
const weekday = "(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),? )?";
const clock = String.raw`\d\d[:_]\d\d(?:[:_]\d\d(?:[.,_]\d{1,9})?)?`;
const zone = String.raw`(?: ?(?:Z\b|[A-Z]{3,4}\b|[+-]\d\d:?\d\d(?!\d)))?`;

/** What stands before a number that says what failed: an exit code, a status, the number of an error. */
const meaning = [
  "err|error|errno|errorcode|exception|http|status|code|returned|returns|exit|exited|exitcode|exitstatus|rc|signal|result|response",
  "Err|Error|Errno|ErrorCode|Exception|Http|Status|Code|Returned|Exit|Exited|ExitCode|ExitStatus|Signal|Result|Response|ERROR|HTTP",
].join("|");
const notMeaning = String.raw`(?<!\b(?:${meaning})["']?(?: code| status| value| with| is| was)*["']?[ :=(#]{1,3})(?!(?<=\()\d{1,3}[):])`;

/** In the order of application, after the node's own names. */
export const foldRules: readonly FoldRule[] = [
  { name: "line breaks and quotes, as different versions of Ruby write them", pattern: /\\n|\\t/g, by: " " },
  { name: "opening quote", pattern: /`/g, by: "'" },
  { name: "class of nothing", pattern: /\bnil:NilClass\b/g, by: "nil" },
  {
    name: "values of the property, and what an agent writes before the error of one",
    pattern:
      /^change from (?:(?! failed: )[^])+ failed: |^Could not (?:evaluate|set '[^'\n]{1,100}' on \w+): |(?<= failed: )Could not set '[^'\n]{1,100}' on \w+: /g,
    by: "",
  },
  { name: "error of a property, once more", pattern: /^Could not set '[^'\n]{1,100}' on \w+: /g, by: "" },
  { name: "sign of a corrective change", pattern: / \(corrective\)$/g, by: "" },
  { name: "folder of an environment", pattern: /(?:\/[\w.+-]+)*\/environments\/[\w-]+\//g, by: "" },
  {
    name: "environment",
    pattern: /(?<=\benvironments?(?:[=:] ?| ')|\b(?:for|from|in|of) environment )[\w-]+/g,
    by: "<environment>",
  },
  { name: "system call", pattern: /(?<= @ )(?:rb|io|dir|fptr|sys)_\w+(?= - )/g, by: "<call>" },
  { name: "object of a program", pattern: /#<[A-Z][\w:]*[^<>]{0,200}>/g, by: "<object>" },
  { name: "encrypted text", pattern: /\bENC\[\w+,[^\]\s]*\]?/g, by: "<hash>" },
  {
    name: "temporary file",
    pattern:
      /(?<![\w.-])(?:(?:\/private)?(?:\/var)?\/tmp\/|[A-Za-z]:[\\/](?:[^\s:]{0,100}[\\/])?Temp[\\/])[^\s'",;:()[\]]+/gi,
    by: "<tmp>",
  },
  { name: "name of a temporary file", pattern: /(?<![\w.-])[\w.-]{0,80}?20\d{6}-\d+-[a-z0-9]+(?![\w-])/g, by: "<tmp>" },
  {
    name: "range of a journal",
    pattern: /-- (?:Logs begin|Journal begins|Journal starts|Boot) [^\n]{0,200}? --/g,
    by: "",
  },
  {
    name: "date and time",
    pattern: new RegExp(`(?<![\\w.-])${weekday}\\d{4}([-/])\\d\\d\\1\\d\\d(?:[T ]${clock}${zone})?(?!\\d)`, "g"),
    by: "<time>",
  },
  {
    name: "date and time in words",
    pattern: new RegExp(
      `\\b${weekday}(?:(?:\\d{1,2} ${month}|${month} {1,2}\\d{1,2})(?: \\d{4})? ${clock}${zone}(?: \\d{4}\\b(?: [A-Z]{3,4}\\b)?)?|\\d{1,2}-${month}-\\d{4}\\b)`,
      "g",
    ),
    by: "<time>",
  },
  { name: "head of a line of a log", pattern: /<time> \S{1,255} ([\w@./-]{1,80}?)(?:\[\d+\])?: /g, by: "<log> $1: " },
  {
    name: "head of a line of a program in Go",
    pattern: /\b[EFIW]\d{4} \d\d:\d\d:\d\d\.\d+ +\d+ (?=[\w.-]+:\d+\])/g,
    by: "<log> ",
  },
  { name: "time", pattern: /(?<![\w:.-])\d{1,2}:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?![\w:]|\.\d)/g, by: "<time>" },
  {
    name: "time in an address",
    pattern: /(?<=[?&](?:[\w-]*-)?(?:timestamp|time|date|since|until)=)[^&\s'"]+/g,
    by: "<time>",
  },
  {
    name: "UUID",
    pattern: /(?<![\da-z])[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}(?![\da-z])/gi,
    by: "<uuid>",
  },
  { name: "UUID of a file system", pattern: /(?<=\bUUID=)[\w-]+/g, by: "<uuid>" },
  { name: "Windows account", pattern: /\bS-1-\d+(?:-\d+){1,14}\b/g, by: "<sid>" },
  {
    name: "checksum with its kind",
    pattern: /\{(?:md5|mtime|ctime|sha1|sha224|sha256|sha384|sha512)(?:lite)?\}[^\s'",;)\]}]+/gi,
    by: "<hash>",
  },
  { name: "hardware address", pattern: /(?<![\da-f:-])[\da-f]{2}(?:[:-][\da-f]{2}){5}(?![\da-f:-])/gi, by: "<ip>" },
  {
    name: "this machine",
    pattern: /(?<![\w.:-])(?:127\.0\.0\.1|\[?::1\]?|localhost\.localdomain)(?![\w.])/g,
    by: "localhost",
  },
  { name: "IPv4 address", pattern: /(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?:\/\d{1,2})?(?![\d.]*\d)/g, by: "<ip>" },
  {
    name: "IPv6 address",
    pattern:
      /\[?(?<![\w:.])(?=[\da-f:]*:[\da-f]*:)[\da-f]{0,4}(?::[\da-f]{0,4}){2,7}(?:%\w+)?(?:\/\d{1,3})?(?![\w:])\]?/gi,
    by: "<ip>",
  },
  {
    // Upper-case ones are names: of a key, of an update.
    name: "checksum, commit or request",
    pattern: /(?<![\da-zA-Z])(?=[\da-f]*\d)(?=\d*[a-f])[\da-f]{8,}(?![\da-zA-Z])/g,
    by: "<hash>",
  },
  { name: "place in memory", pattern: /\b0x[\da-f]{9,16}\b/gi, by: "<hash>" },
  {
    name: "network interface or disk",
    pattern:
      /(?<![\w.-])(?:(?:eth|ens|eno|enp|em|wlan|bond|team|br|vlan|veth|virbr)\d[\w.]*|(?:sd|vd|xvd)[a-z]\d*|nvme\d+n\d+(?:p\d+)?|dm-\d+)(?![\w-])/g,
    by: "<device>",
  },
  { name: "folder of programs", pattern: /(?<![\w.-])\/(?:usr\/)?s?bin\//g, by: "/bin/" },
  {
    name: "size",
    pattern: /(?<![\w.-])\d+(?:[.,]\d+)*[ -]?(?:[kKMGTP]i?B?|[bB]ytes?|[kmgt]b)(?![\w-])/g,
    by: "<size>",
  },
  { name: "duration", pattern: /(?<![\w.-])\d+(?:[.,]\d+)*(?:ms|min|s|m|h|d|%)(?![\w-])/g, by: "<n>" },
  {
    name: "version",
    pattern:
      /(?:(?<![\w.-])|(?<=[a-zA-Z\uE000][-_]))v?\d+:?(?:(?<=:)\d+)?(?:\.\d+)+(?:[-+~_.:^]\w+|,\d+|(?<=[\d.])[a-z]\w*)*/g,
    by: "<n>",
  },
  {
    name: "architecture",
    pattern: /(?<![\w-])(?:x86_64|amd64|aarch64|arm64|armhf|i[3-6]86|noarch|ppc64le|s390x)(?![\w-])/g,
    by: "<arch>",
  },
  {
    name: "number",
    // Part of a name, or a status of HTTP: `java-11`, `10-base.conf`, `404 Not Found`.
    pattern: new RegExp(
      `${notMeaning}(?:(?<=\\bpid|_pid)|(?<![\\w.-])(?<!\\w,))\\d+(?:[.,]\\d+)*(?![\\w]|-[a-zA-Z]|\\.[a-zA-Z]| [A-Z][a-z]|["']? (?:response|status))`,
      "g",
    ),
    by: "<n>",
  },
  { name: "list of numbers", pattern: /<n>(?:, ?<n>)+/g, by: "<n>" },
  {
    name: "state of a process",
    pattern: /\b(?:Running|Sleeping|Stopped|Traced|Zombie|Uninterruptible)(?=, (?:pid|PID))/g,
    by: "<state>",
  },
  {
    name: "program of a process",
    pattern: /(?<=\b(?:pid|PID|process) <n>) ?(?:\([^)\s]{1,60}\)|'[^'\s]{1,60}')/g,
    by: "",
  },
  {
    name: "program that holds a lock",
    pattern: /(?<=\b(?:application|process|program) is: )\S{1,60}/g,
    by: "<process>",
  },
  { name: "blanks", pattern: /\s+/g, by: " " },
];

/** Rules for what an agent says of a resource, besides the others. */
const declared = / \(file: [^()]{1,300}\)$/;

/** Stands for the title of the resource while the rules are applied: digits in it are part of a name. */
const TITLE = "\uE000";

/** The node whose messages are folded. */
export interface OwnNames {
  readonly certname: string;
  /** Its other names and addresses, as its facts have them. */
  readonly others: readonly string[];
}

/** A message and the resource that it is about. */
export interface FoldedMessage {
  readonly title: string | null;
  readonly message: string;
  /** Without everything that belongs to the resource: the same for failures of other resources with the same cause. */
  readonly common: string;
}

/** Folds the messages of one node. */
export class Folding {
  readonly #names: RegExp | undefined;

  constructor({ certname, others }: OwnNames) {
    const names = [...new Set([certname, ...others].map((name) => name.toLowerCase()))]
      .filter((name) => name.length > 2 && !common.has(name))
      .sort((a, b) => b.length - a.length);
    this.#names = names.length === 0 ? undefined : new RegExp(names.map(ownName).join("|"), "gi");
  }

  /** @param title of the resource; null: the message is about the run */
  fold(text: string, title: string | null): FoldedMessage {
    const own = title === null ? null : this.#own(title);
    const named = own !== null && own.length > 1 && own.length < 300 ? bounded(own) : undefined;
    let message = this.#own(text.slice(0, LONGEST)).replace(suffix, "");
    if (title !== null)
      message = message
        .trimEnd()
        .replace(/ \(corrective\)$/, "")
        .replace(declared, "");
    if (named !== undefined) message = message.replace(named, TITLE);
    message = foldRules.reduce((result, { pattern, by }) => result.replace(pattern, by), message).trim();
    const written = named === undefined ? message : message.replaceAll(TITLE, () => own ?? "");
    return {
      title: own,
      message: shortened(written),
      common: shortened(
        message
          .replaceAll(TITLE, "<title>")
          .replace(/'[^'\s]{1,300}'|"[^"\s]{1,300}"/g, "<name>")
          .replace(/(?<![\w<])(?:\/[\w.+@-]+){2,}/g, "<path>"),
      ),
    };
  }

  #own(text: string): string {
    return this.#names === undefined ? text : text.replace(this.#names, "<node>").replaceAll("[<node>]", "<node>");
  }
}

/** The random end of the name of a file that is being written. */
const suffix = /(?<=[\w.)])20\d{6}-\d+-[a-z0-9]+(?![\w-])/g;

/** Names that a node may have besides others. */
const common: ReadonlySet<string> = new Set(["localhost", "localhost.localdomain", "127.0.0.1", "::1", "unknown"]);

/** A name as a whole word: a short one is not looked for within a longer name, `db-1` not in `db-1-old`. */
function ownName(name: string): string {
  const text = escaped(name);
  return name.includes(".") || name.includes(":") ? `(?<![a-z0-9])${text}(?![a-z0-9])` : `(?<![\\w-])${text}(?![\\w-])`;
}

function bounded(title: string): RegExp {
  return new RegExp(
    `${/^\w/.test(title) ? "(?<![\\w])" : ""}${escaped(title)}${/\w$/.test(title) ? "(?!\\w)" : ""}`,
    "g",
  );
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);
}

function shortened(text: string): string {
  return text.slice(0, 600).toWellFormed();
}

/** A text without what belongs to a node or to a run. */
export function fold(text: string, certname: string): string {
  return new Folding({ certname, others: [] }).fold(text, null).message;
}

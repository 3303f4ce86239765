import { existsSync } from "node:fs";
import type { Pair } from "#storage/diff/contents.ts";
import { UsageError } from "../errors.ts";
import { type Moment, readMoment } from "../moment.ts";
import { chooseSource, isNamedBySession, type SourceChoice } from "../sources/choice.ts";
import type { SourceArguments } from "../sources/options.ts";

/** The two sides of a comparison. */
export type Comparison =
  | { readonly kind: "populations"; readonly from: SourceChoice; readonly to: SourceChoice }
  | {
      readonly kind: "nodes";
      readonly from: SourceChoice;
      /** undefined: the same source. */
      readonly to: SourceChoice | undefined;
      readonly pairs: readonly Pair[];
    }
  | {
      readonly kind: "times";
      readonly source: SourceChoice;
      readonly since: Moment;
      /** undefined: the time of the source. */
      readonly until: Moment | undefined;
      /** None: all nodes. */
      readonly pairs: readonly Pair[];
    }
  | { readonly kind: "reports"; readonly source: SourceChoice; readonly from: string; readonly to: string };

const FORMS =
  "two sources (census diff old.tgz new.tgz), two certnames or report hashes of one source (census diff --archive FILE web-01 web-02), or a time (census diff web-01 --since 2d)";

const HASH = /^[0-9a-f]{40}$/i;

/** The options that choose the two sides. */
export interface ComparisonArguments extends SourceArguments {
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

/**
 * Reads the two sides from a command line. Two arguments are two sources, unless an option names one source: then they
 * are two nodes of it or, being 40 hexadecimal digits, two reports. With `--since` the sides are two times of one source. Further
 * arguments are nodes: certnames, or `old=new` where a node has two names.
 * @throws UsageError saying what to write instead
 */
export function readComparison(words: readonly string[], args: ComparisonArguments): Comparison {
  if (args.since !== undefined) return betweenTimes(words, args, args.since);
  if (args.until !== undefined) throw new UsageError("diff: --until needs --since");
  const [from, to, ...nodes] = words;
  if (from === undefined || to === undefined) throw new UsageError(`diff: needs ${FORMS}`);
  const option = sourceOption(args);
  if (option !== undefined) {
    const [surplus] = nodes;
    if (surplus !== undefined) {
      throw new UsageError(
        `diff: unexpected argument ${JSON.stringify(surplus)}; with --${option}, give two certnames`,
      );
    }
    return withinOne(from, to, chooseSource("diff", args));
  }
  if (![from, to].some(isPlace)) {
    if (isNamedBySession()) return withinOne(from, to, chooseSource("diff", args));
    const what = HASH.test(from) ? "reports" : "nodes";
    throw new UsageError(
      `diff: ${JSON.stringify(from)} is not a file, directory or URL; to compare two ${what} of one source: census diff --archive FILE ${from} ${to}`,
    );
  }
  const sources = { from: chooseSource("diff", args, from), to: chooseSource("diff", args, to) };
  const pairs = nodes.map(readPair);
  return pairs.length === 0 ? { kind: "populations", ...sources } : { kind: "nodes", ...sources, pairs };
}

function sourceOption(args: SourceArguments): string | undefined {
  return (["archive", "data", "url", "urls"] as const).find((name) => args[name] !== undefined);
}

function betweenTimes(words: readonly string[], args: ComparisonArguments, since: string): Comparison {
  const place = sourceOption(args) === undefined ? words.find(isPlace) : undefined;
  if (place !== undefined) {
    throw new UsageError(
      `diff: with --since, arguments are certnames; name the source as an option: --archive, --data or --url ${place}`,
    );
  }
  const hash = words.find((word) => HASH.test(word));
  if (hash !== undefined)
    throw new UsageError(`diff: with --since, arguments are certnames, not report hashes: ${hash}`);
  return {
    kind: "times",
    source: chooseSource("diff", args),
    since: readMoment("--since", since),
    until: args.until === undefined ? undefined : readMoment("--until", args.until),
    pairs: words.map(readPair),
  };
}

function withinOne(from: string, to: string, source: SourceChoice): Comparison {
  if (HASH.test(from) !== HASH.test(to)) {
    const [hash, other] = HASH.test(from) ? [from, to] : [to, from];
    throw new UsageError(
      `diff: ${hash} is a report hash and ${JSON.stringify(other)} is not; give two certnames or two report hashes`,
    );
  }
  if (HASH.test(from)) return { kind: "reports", source, from: from.toLowerCase(), to: to.toLowerCase() };
  return { kind: "nodes", from: source, to: undefined, pairs: [{ from, to }] };
}

function readPair(text: string): Pair {
  const [from = "", to = from, ...more] = text.split("=");
  if (from !== "" && to !== "" && more.length === 0) return { from, to };
  throw new UsageError(`diff: a node must be CERTNAME or OLD=NEW, not ${JSON.stringify(text)}`);
}

function isPlace(word: string): boolean {
  return /^https?:\/\//i.test(word) || existsSync(word);
}

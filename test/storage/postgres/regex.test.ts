import { execFileSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { DuckDBInstance } from "@duckdb/node-api";
import type { DuckDBConnection } from "@duckdb/node-api";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { temporaryFolder } from "#test/fixture-folder.ts";
import { matchAll, MatchTimeout, matchWithin, RegexError, translateRegex } from "#storage/postgres/regex.ts";

let connection: DuckDBConnection;

beforeAll(async () => {
  connection = await (await DuckDBInstance.create(":memory:")).connect();
});

afterAll(() => connection.closeSync());

async function matches(pattern: string, subject: string): Promise<unknown> {
  const regex = translateRegex(pattern);
  if (regex.engine === "js") return regex.regexp.test(subject);
  const result = await connection.runAndReadAll("SELECT regexp_matches($1, $2)", [subject, regex.pattern]);
  return result.getRows()[0]?.[0];
}

interface Case {
  readonly pattern: string;
  readonly yes?: readonly string[];
  readonly no?: readonly string[];
}

/** What RE2 can do. */
const plain: readonly Case[] = [
  { pattern: "", yes: ["", "anything"] },
  { pattern: "a.ex", yes: ["a.example", "aXex"], no: ["A.ex", "aex"] },
  { pattern: "a\\.ex", yes: ["a.ex"], no: ["aXex"] },
  { pattern: "web", yes: ["web-01", "a web"], no: ["WEB"] },
  // where it matches
  { pattern: "^web", yes: ["web-01"], no: ["a web", "a\nweb"] },
  { pattern: "01$", yes: ["web-01"], no: ["web-010", "01\n", "01\n2"] },
  { pattern: "\\Aa\\Z", yes: ["a"], no: ["a\n", "ba"] },
  { pattern: "^.{13}$", yes: ["a.example.com"], no: ["aa.example.com"] },
  { pattern: "a^b", no: ["ab", "a^b"] },
  { pattern: "^$", yes: [""], no: ["a", "\n"] },
  { pattern: "(^|-)a", yes: ["a", "b-a"], no: ["ba"] },
  // newlines are ordinary
  { pattern: "a.b", yes: ["a\nb", "a😀b"] },
  { pattern: "a[^x]b", yes: ["a\nb"] },
  // branches and groups
  { pattern: "a|b", yes: ["xa", "b"], no: ["c"] },
  { pattern: "^(a|b)c$", yes: ["ac", "bc"], no: ["a", "abc"] },
  { pattern: "^(?:ab)+$", yes: ["abab"], no: ["aba"] },
  { pattern: "^(a|)b$", yes: ["ab", "b"], no: ["aab"] },
  { pattern: "x|", yes: ["", "y"] },
  { pattern: "^()$", yes: [""], no: ["a"] },
  { pattern: "^(|a)+$", yes: ["", "aa"], no: ["b"] },
  // quantifiers
  { pattern: "^ab*c$", yes: ["ac", "abbc"], no: ["adc"] },
  { pattern: "^ab+c$", yes: ["abc", "abbc"], no: ["ac"] },
  { pattern: "^ab?c$", yes: ["ac", "abc"], no: ["abbc"] },
  { pattern: "^a{2}$", yes: ["aa"], no: ["a", "aaa"] },
  { pattern: "^a{2,}$", yes: ["aa", "aaaa"], no: ["a"] },
  { pattern: "^a{2,3}$", yes: ["aa", "aaa"], no: ["a", "aaaa"] },
  { pattern: "^a{0}b$", yes: ["b"], no: ["ab"] },
  { pattern: "^a*?b+?c??d{1,2}?$", yes: ["abd", "bcdd"], no: ["ad"] },
  { pattern: "^(a{30}){30}$", yes: ["a".repeat(900)], no: ["a".repeat(899)] },
  { pattern: "^a{255}$", yes: ["a".repeat(255)], no: ["a".repeat(256)] },
  { pattern: "a{,2}", yes: ["a{,2}"], no: ["aa"] },
  { pattern: "{a}", yes: ["{a}"], no: ["a"] },
  { pattern: "a}", yes: ["a}"] },
  // bracket expressions
  { pattern: "^[abc]$", yes: ["a", "c"], no: ["d", "A"] },
  { pattern: "^[^abc]$", yes: ["d", "\n", "é"], no: ["a", ""] },
  { pattern: "^[a-c0-2]$", yes: ["b", "1"], no: ["d", "-"] },
  { pattern: "^[]a]$", yes: ["]", "a"], no: ["b"] },
  { pattern: "^[^]a]$", yes: ["b"], no: ["]", "a"] },
  { pattern: "^[a-]$", yes: ["a", "-"], no: ["b"] },
  { pattern: "^[-a]$", yes: ["a", "-"], no: ["b"] },
  { pattern: "^[a^]$", yes: ["a", "^"] },
  { pattern: "^[+--]$", yes: ["+", ",", "-"], no: ["."] },
  { pattern: "^[%--]$", yes: ["&"], no: ["."] },
  { pattern: "^[.*$(]$", yes: [".", "*", "$", "("], no: ["a"] },
  { pattern: "^[[a]$", yes: ["[", "a"] },
  { pattern: "^[\\]\\\\]$", yes: ["]", "\\"], no: ["a"] },
  { pattern: "^[\\d_]$", yes: ["5", "_"], no: ["a"] },
  { pattern: "^[\\D5]$", yes: ["a", "5"], no: ["6"] },
  { pattern: "^[\\W5]$", yes: ["-", "5"], no: ["6", "a"] },
  { pattern: "^[^\\s]$", yes: ["a"], no: [" ", "\n"] },
  { pattern: "^[\\n\\t]$", yes: ["\n", "\t"], no: ["n", "\\"] },
  { pattern: "^[[.-.]x]$", yes: ["-", "x"], no: ["h"] },
  { pattern: "^[[.a.]-c]$", yes: ["b"], no: ["d"] },
  { pattern: "^[[=a=]]$", yes: ["a"], no: ["A", "="] },
  { pattern: "^[é-ü]$", yes: ["ö"], no: ["a", "à"] },
  // classes
  { pattern: "^[[:alpha:]]+$", yes: ["aZ", "é", "日"], no: ["1", "_", "a1"] },
  { pattern: "^[[:alnum:]]+$", yes: ["aZ1"], no: ["_", "-"] },
  { pattern: "^[[:digit:]]+$", yes: ["0123456789"], no: ["a", "٣"] },
  { pattern: "^[[:upper:]]$", yes: ["A", "É"], no: ["a", "1"] },
  { pattern: "^[[:lower:]]$", yes: ["a", "é"], no: ["A", "1"] },
  { pattern: "^[[:space:]]$", yes: [" ", "\t", "\n", "\v", "\u2003"], no: ["a", "\u00a0"] },
  { pattern: "^[[:blank:]]$", yes: [" ", "\t"], no: ["\n"] },
  { pattern: "^[[:punct:]]$", yes: [".", "_", "$"], no: ["a", " "] },
  { pattern: "^[[:xdigit:]]+$", yes: ["0aF"], no: ["g"] },
  { pattern: "^[[:cntrl:]]$", yes: ["\u0001", "\u007f"], no: ["a"] },
  { pattern: "^[[:print:]]$", yes: ["a", " "], no: ["\n"] },
  { pattern: "^[[:graph:]]$", yes: ["a", "!"], no: [" "] },
  { pattern: "^[[:ascii:]]$", yes: ["a", "\n"], no: ["é"] },
  { pattern: "^[[:word:]]$", yes: ["a", "_", "é"], no: ["-"] },
  { pattern: "^[^[:alpha:]]$", yes: ["1"], no: ["a", "é"] },
  // escapes
  { pattern: "^\\w+$", yes: ["a_1", "é"], no: ["a-b"] },
  { pattern: "\\d", yes: ["a1"], no: ["a"] },
  { pattern: "^\\D\\S\\W$", yes: ["ab-"], no: ["1b-", "a -", "abc"] },
  { pattern: "a\\sb", yes: ["a b", "a\nb"], no: ["asb"] },
  { pattern: "a\nb", yes: ["a\nb"], no: ["ab"] },
  { pattern: "\\bweb", yes: ["\bweb"], no: ["web"] },
  { pattern: "\\B", yes: ["\\"], no: ["a"] },
  { pattern: "^\\a\\e\\f\\n\\r\\t\\v$", yes: ["\x07\x1b\f\n\r\t\v"] },
  { pattern: "^\\cA\\cz$", yes: ["\x01\x1a"] },
  { pattern: "^\\u00e9\\U0001F600\\x41$", yes: ["é😀A"] },
  { pattern: "^\\x000041$", yes: ["A"] },
  { pattern: "^\\101\\0501$", yes: ["A(1"] },
  { pattern: "^\\12$", yes: ["\n"] },
  { pattern: "^\\777$", yes: ["?7"] },
  { pattern: "\\U00110000", no: ["", "a"] },
  { pattern: "^\\^\\$\\*\\[\\(\\{\\|\\\\\\é$", yes: ["^$*[({|\\é"] },
  { pattern: "a/b#c d-e", yes: ["a/b#c d-e"] },
  // options and directors
  { pattern: "(?i)WEB", yes: ["web", "Web"], no: ["we"] },
  { pattern: "(?i)é[a-c]", yes: ["ÉB"], no: ["ÉD"] },
  { pattern: "(?i)^[^a]$", yes: ["b"], no: ["A", "a"] },
  { pattern: "(?i)^[[:upper:]]$", yes: ["a"], no: ["1"] },
  { pattern: "(?i)k", yes: ["K"], no: ["\u212a"] },
  { pattern: "(?ic)a", yes: ["a"], no: ["A"] },
  { pattern: "(?x) a b # c\n [ ] (?# d) \\ ", yes: ["ab  "], no: ["ab", "a b"] },
  { pattern: "(?x)a { 2 , 3 } $", yes: ["aa"], no: ["a"] },
  { pattern: "a(?#comment)b", yes: ["ab"] },
  { pattern: "a(?#open", yes: ["a"] },
  { pattern: "(?n)^b$", yes: ["a\nb\nc"], no: ["ab"] },
  { pattern: "(?n)a.b|a[^x]b", no: ["a\nb"] },
  { pattern: "(?n)a\\Wb", yes: ["a\nb"] },
  { pattern: "(?n)\\Ab\\Z", yes: ["b"], no: ["a\nb"] },
  { pattern: "(?p)a.b|^c", no: ["a\nb", "a\nc"] },
  { pattern: "(?w)a.b$", yes: ["a\nb\n"] },
  { pattern: "(?ns)a.b", yes: ["a\nb"] },
  { pattern: "(?q)a.b(", yes: ["xa.b("], no: ["aXb("] },
  { pattern: "***=a.b(", yes: ["xa.b("], no: ["aXb("] },
  { pattern: "***=(?i)a", yes: ["(?i)a"], no: ["A"] },
  { pattern: "***:(?i)a.b", yes: ["AXB"] },
  { pattern: "(?e)a)", yes: ["a)"], no: ["a"] },
  { pattern: "(?e)^\\d[\\]+$", yes: ["d\\\\"], no: ["1"] },
  { pattern: "(?b)^a\\{2\\}(*+?|$", yes: ["aa(((+?|", "aa+?|"], no: ["a"] },
  { pattern: "(?b)*\\(^a*\\)b$", no: ["aab"] },
  { pattern: "(?b)\\(*a\\)^b", yes: ["*a^b"], no: ["a"] },
];

/** What takes the other engine. */
const beyondRe2: readonly Case[] = [
  { pattern: "web(?=-01)", yes: ["web-01"], no: ["web-02", "web"] },
  { pattern: "^(?!web)", yes: ["db"], no: ["web-01"] },
  { pattern: "(?<=a)x", yes: ["ax"], no: ["bx"] },
  { pattern: "(?<!a)x", yes: ["bx", "x"], no: ["ax"] },
  { pattern: "(?<=a+b?)x", yes: ["aabx"], no: ["bx"] },
  { pattern: "^(?:(?!x).)*$", yes: ["a\nb"], no: ["axb"] },
  { pattern: "(?=(a)b)a", yes: ["ab"], no: ["aa"] },
  { pattern: "^(.)\\1$", yes: ["aa", "😀😀"], no: ["ab"] },
  { pattern: "^(a)(b)\\2\\1$", yes: ["abba"], no: ["abab"] },
  { pattern: "(?i)^(a)\\1$", yes: ["aA"], no: ["ab"] },
  { pattern: "^(ab?)+\\1$", yes: ["abab", "aa"], no: ["ba", "ab"] },
  { pattern: "(?b)\\(.\\)\\1", yes: ["aa"], no: ["ab"] },
  { pattern: "\\yfoo\\y", yes: ["a foo b", "foo"], no: ["afoo", "foo1", "éfoo"] },
  { pattern: "\\Yoo", yes: ["foo"], no: ["oo"] },
  { pattern: "\\mfoo", yes: ["a foo1"], no: ["afoo"] },
  { pattern: "foo\\M", yes: ["afoo b"], no: ["foo1", "foo_"] },
  { pattern: "[[:<:]]foo[[:>:]]", yes: ["a foo b"], no: ["afoo"] },
  { pattern: "(?b)\\<foo\\>", yes: ["a foo b"], no: ["afoo"] },
  { pattern: "^[^\\W]$", yes: ["a", "é"], no: ["-"] },
  { pattern: "^(a{100}){20}$", yes: ["a".repeat(2000)], no: ["a".repeat(1999)] },
  { pattern: "(?n)^b$(?!\\nd)", yes: ["a\nb\nc"], no: ["b\nd"] },
];

describe("translateRegex", () => {
  it.each(plain)("matches $pattern in RE2", async ({ pattern, yes = [], no = [] }) => {
    expect(translateRegex(pattern).engine).toBe("re2");
    for (const subject of yes) expect([subject, await matches(pattern, subject)]).toEqual([subject, true]);
    for (const subject of no) expect([subject, await matches(pattern, subject)]).toEqual([subject, false]);
  });

  it.each(beyondRe2)("matches $pattern in JavaScript", async ({ pattern, yes = [], no = [] }) => {
    expect(translateRegex(pattern).engine).toBe("js");
    for (const subject of yes) expect([subject, await matches(pattern, subject)]).toEqual([subject, true]);
    for (const subject of no) expect([subject, await matches(pattern, subject)]).toEqual([subject, false]);
  });

  // An empty look-ahead changes only the engine that is used. It is invalid after a director, an option or (?b).
  const both = plain.filter(
    ({ pattern }) => !/^\(\?[bepqnwx]|^\*\*\*|\(\?#open|\(\|a\)\+|^\^\(a\{30\}\)/.test(pattern),
  );
  it.each(both)("matches $pattern equally in both engines", async ({ pattern, yes = [], no = [] }) => {
    const [options = ""] = /^\(\?[a-z]+\)/.exec(pattern) ?? [];
    const forced = `${options}(?:${pattern.slice(options.length)})(?=)`;
    expect(translateRegex(forced).engine).toBe("js");
    for (const subject of yes) expect([subject, await matches(forced, subject)]).toEqual([subject, true]);
    for (const subject of no) expect([subject, await matches(forced, subject)]).toEqual([subject, false]);
  });
});

const faults: readonly (readonly [reason: string, patterns: readonly string[]])[] = [
  ["parentheses () not balanced", ["(", "a)", "(a", "(?:a", "(?=a", ")", "())", "(?b)\\(a", "(?e)(a", "(a|b"]],
  ["brackets [] not balanced", ["[", "[a", "[]", "[^]", "[[:alpha:]", "[a-", "[[.a", "[[:foo:]", "[b-a", "(?e)[\\"]],
  ["braces {} not balanced", ["a{1", "a{1,", "a{1,2", "(?b)a\\{1"]],
  [
    "quantifier operand invalid",
    ["*", "+a", "?", "a**", "a+*", "a{1}{2}", "^*", "$+", "(*a)", "a|*", "\\y+", "(?=a)*"],
  ],
  ["quantifier operand invalid", ["(?", "a(?i)b", "(?<n>a)", "x(?P<n>a)", "(?>a)", "***", "***a", "a{2}+", "a+??"]],
  ["invalid escape \\ sequence", ["\\", "a\\", "\\q", "\\p{L}", "\\x", "\\xg", "\\u12", "\\U1234567", "\\c", "\\89"]],
  ["invalid escape \\ sequence", ["[\\y]", "[\\A]", "[\\1]", "[\\", "\\U7fffffff", "(?b)\\"]],
  [
    "invalid repetition count(s)",
    ["a{2,1}", "a{256}", "a{1,300}", "a{1x}", "a{1,2,3}", "a{1,x}", "a{1 }", "(?b)a\\{1}"],
  ],
  ["invalid character range", ["[b-a]", "[a-b-c]", "[\\w-z]", "[a-\\d]", "[[:digit:]-z]", "[a-[=b=]]", "[a--b]"]],
  ["invalid character class", ["[[:foo:]]", "[[:ALPHA:]]", "[[::]]", "[[:toString:]]"]],
  ["invalid collating element", ["[[.hyphen.]]", "[[=foo=]]", "[[..]]"]],
  ["invalid backreference number", ["\\1", "(a)\\2", "(a\\1)", "\\1(a)", "(?:a)\\1", "(?=(a))\\1", "(a)(?=\\1)"]],
  ["invalid embedded option", ["(?z)", "(?i", "(?iZ)a", "(?P<n>a)"]],
  ["invalid regexp (reg version 0.8)", ["***?", "***?a"]],
];

describe("translateRegex on an invalid pattern", () => {
  it.each(faults.flatMap(([reason, patterns]) => patterns.map((pattern) => [pattern, reason] as const)))(
    "rejects %j: %s",
    (pattern, reason) => {
      expect(() => translateRegex(pattern)).toThrow(
        expect.objectContaining({ code: "bad-input", message: `ERROR: invalid regular expression: ${reason}` }),
      );
    },
  );

  it.each(["\\y(a+)+b", "(?=x)(a*)*", "(a)\\1(b{1,200}c)*d", "(a{1,200}){1,200}", "(?!(a+b)+)", "\\m(a+){20}"])(
    "rejects %j, which could take exponential time",
    (pattern) => {
      expect(() => translateRegex(pattern)).toThrow(RegexError);
      expect(() => translateRegex(pattern)).toThrow(/too complex/);
    },
  );

  it.each(["\\y", "\\w", "(?=a)\\w", "[^\\W]"])(
    "rejects %j repeated often, which takes seconds to compile",
    (pattern) => {
      expect(() => translateRegex(`\\ya${pattern.repeat(5000)}`)).toThrow(/too complex/);
    },
  );

  it.each<[pattern: string, strings: readonly string[]]>([
    ["(?i)chrony", ["Chrony", "a\nchrony"]],
    ["a-b/c", ["xa-b/c", '"a-b/c"']],
    ["(é|b)+c", ["éc", "\u0001bc"]],
  ])("finds the strings that match %j by their JSON text", async (pattern, strings) => {
    expect(translateRegex(pattern)).toMatchObject({ inJson: true });
    for (const string of strings) {
      expect(await matches(pattern, string)).toBe(true);
      expect(await matches(pattern, JSON.stringify(string))).toBe(true);
    }
  });

  it.each<[pattern: string, string: string]>([
    ['a"', 'a"'],
    ["a\\\\b", "a\\b"],
    ["a.b", 'a"b'],
    ["a[^x]b", "a\nb"],
    ["a\\nb", "a\nb"],
    ["^a", "ab"],
    ["b$", "ab"],
    ["a\\Wb", "a\tb"],
  ])("does not look for the string that matches %j in its JSON text", async (pattern, string) => {
    expect(translateRegex(pattern)).toMatchObject({ inJson: false });
    expect(await matches(pattern, string)).toBe(true);
    expect(await matches(pattern, JSON.stringify(string))).toBe(false);
  });

  it("accepts very many alternatives", () => {
    expect(translateRegex("ab|".repeat(20_000))).toMatchObject({ engine: "re2" });
  });

  it("rejects too many parentheses", () => {
    expect(() => translateRegex("(".repeat(100_000) + ")".repeat(100_000))).toThrow(/too complex/);
  });

  it("runs nested repetitions in RE2, which takes linear time", async () => {
    expect(await matches("^(a+)+$", `${"a".repeat(5000)}b`)).toBe(false);
  });

  it.each([
    ["every size of repeated classes", (n: number) => `(?:\\w{30}){${n}}`],
    ["every size of repeated text", (n: number) => `(?:${"abcdefghi-".repeat(20)}){${n}}`],
    ["every size of repeated sets", (n: number) => `(?:[^a][é-ü].){${n}}`],
  ])("does not use RE2 for what it finds too large: %s", async (_name, make) => {
    for (const n of [1, 8, 9, 10, 33, 34, 200, 255]) expect(await matches(make(n), "a")).toBe(false);
  });
});

describe("matchWithin", () => {
  const slow = /^(a|aa)+$/v;
  const bad = `${"a".repeat(100)}b`;

  it("returns a result for each subject in order", () => {
    expect(matchWithin(slow, ["aa", "b", "a", ""], 0, 1000)).toBe("1010");
    expect(matchWithin(slow, ["aa", "b", "a", ""], 2, 1000)).toBe("10");
  });

  it("stops when the time is over", () => {
    expect(matchWithin(slow, ["aa", bad, "a"], 0, 20)).toBe("1");
    expect(() => matchWithin(slow, [bad], 0, 20)).toThrow(MatchTimeout);
  });
});

describe("matchAll", () => {
  const slow = /^(a|aa)+$/v;
  const bad = `${"a".repeat(100)}b`;

  it("returns a result for each of a few and of many subjects, in order", async () => {
    const many = Array.from({ length: 20_000 }, (_, index) => (index % 3 === 0 ? "aa" : "ab"));
    expect(await matchAll(slow, ["aa", "b", ""], 1000)).toBe("100");
    expect(await matchAll(slow, many, 60_000)).toBe("100".repeat(6667).slice(0, 20_000));
  });

  it("stops when the time is over, and serves others meanwhile", async () => {
    const first = matchAll(slow, [bad], 2000).then(
      () => "matched",
      (error: unknown) => error,
    );
    const long = ["aa", "b".repeat(100_000)];
    expect(await Promise.race([matchAll(slow, long, 60_000), first])).toBe("10");
    expect(await first).toBeInstanceOf(MatchTimeout);
  });

  it("ends when its signal is aborted", async () => {
    const controller = new AbortController();
    const matching = matchAll(slow, [bad], 600_000, controller.signal);
    controller.abort(new Error("enough"));
    await expect(matching).rejects.toThrow("enough");
  });

  it.each([
    ["has matched", 'console.log((await matchAll(/(?=x)/v, ["y".repeat(100_000)], 60_000)).length);'],
    [
      "was aborted",
      `await matchAll(/^(a|aa)+$/v, ["a".repeat(100) + "b"], 600_000, AbortSignal.timeout(100)).catch(() => console.log(1));`,
    ],
  ])("does not keep a process running after it %s", async (_what, code) => {
    await using folder = await temporaryFolder();
    const program = join(folder.path, "program.mjs");
    const module = pathToFileURL(join(import.meta.dirname, "../../../storage/postgres/regex.ts")).href;
    await writeFile(program, `import { matchAll } from ${JSON.stringify(module)}; ${code}`);
    // The thread ends by itself after a minute without work.
    expect(execFileSync(process.execPath, [program], { encoding: "utf8", timeout: 20_000 })).toBe("1\n");
  });
});

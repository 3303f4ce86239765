/**
 * Records how the tools themselves order versions: `node test/storage/package-versions/record.ts` writes `recorded.json`.
 * It needs dpkg, rpm, ruby, python3 with `packaging`, and the `semver` that npm contains. Variables say where they are:
 * `RPM=/opt/rpm/bin/rpm SEMVER=/usr/lib/node_modules/npm/node_modules/semver`.
 */
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Random } from "#fixtures/random.ts";
import type { VersionOrder } from "#storage/package-versions/version-key.ts";

/** Less than 0: the first is lower. */
type Compare = (a: string, b: string) => number;

/** Versions that rules of the tools are about, among them the precedence lists of their documentation. */
const known: Readonly<Record<VersionOrder, string>> = {
  dpkg: "0 0.0 1 1.0 1.0-0 1.0-1 1.0-1~deb12u1 1.0-1+deb12u1 1.0-1+b1 1.0-10 1.0-9 1.0~rc1 1.0~rc1-1 1.0~~ 1.0~~a 1.0~ 1.0a 1.0+ 1.0. 1.0.1 1.00 1.01 1:0.9 1:0.9-1 2:0 0:1.0 1.0-1-1 1.0A 1.0b 1.2.3+git20260102 1.2.3~git20260102 3.0.17-1~deb12u3 3.0.17-1~deb12u2 3.5.1-1 1:9.2p1-2+deb12u7 1:9.2p1-2 7.88.1-10+deb12u14 18446744073709551616 99999999999999999999999 99999999999999999999998",
  rpm: "0 1 1.0 01.0 1.0-1 1.0-1.el9 1.0-1.el9_5 1.0-1.el9_5.1 1.0-10.el9 1.0-2.el9 1.0~rc1 1.0~rc1-1 1.0~rc1~git1 1.0~ 1.0^ 1.0^git1 1.0^git2 1.0^git1~pre 1.0^20210501 1.0~rc1^git1 1.0.1 1.01 1.0^git1.1 1.0a 1.0aa 1.0b 1.0.a 1.0_a 1.0A 1.0.z 2_0 2.0 a a1 xyz.4 xyz10 xyz10.1 10xyz 10.1xyz 6.0.rc1 6.0 10.0001 10.1 10.0039 5.5p1 5.5p10 5.5p2 1:0.5 1:3.2.2-6.el9_5 3.0.7-28.el9_4 0:1.0 20101121 99999999999999999999999 1b.fc17 1.fc17 1g.fc17",
  semver:
    "1.0.0-alpha 1.0.0-alpha.1 1.0.0-alpha.beta 1.0.0-beta 1.0.0-beta.2 1.0.0-beta.11 1.0.0-rc.1 1.0.0 1.0.1 1.1.0 1.9.0 1.10.0 1.11.0 2.0.0 2.1.0 2.1.1 1.0.0+build 1.0.0+build.2 1.0.0-0 1.0.0-0.3.7 1.0.0-x.7.z.92 1.0.0-x-y-z.4 1.0.0-- 1.0.0-A 1.0.0-a 1.0.0-a- 1.0.0-a.b.c 1.0.0-a.b 0.0.0 0.0.0-0 10.0.0 9.0.0 1.0.0-9 1.0.0-10 1.0.0-9a 1.0.0-10a",
  gem: "0 1 1.0 1.0.0 1.a 1.0.a 1.0.0.a 1.0.a1 1.0.a.1 1.0.a.0 1.0.a.0.1 1.0.a.0.b 1.0.a2 1.0.a10 1.0.b 1.0.b1 1.0.rc1 1.0.pre 1.0-pre 1.0-1 1.0-a 1.0.A 1.0.1 1.0.1.a 1.0.0.1 1.0.0.0.1 1.2.b1 1.2 1.9 1.10 2.0.0.rc1 2.0.0.rc2 2.0.0.rc10 2.0.0.beta 2.0.0 1.8.2.a 1.8.2.a10 1.8.2.a9 1.8.2.b 1.1.alpha0 1.1.alpha.x.0.1 99999999999999999999999",
  pep440:
    "0 1 1.0 1.0.0 1.0.dev456 1.0a1 1.0a2.dev456 1.0a12.dev456 1.0a12 1.0b1.dev456 1.0b2 1.0b2.post345.dev456 1.0b2.post345 1.0rc1.dev456 1.0rc1 1.0c1 1.0.rc2 1.0+abc.5 1.0+abc.7 1.0+5 1.0+5.a 1.0+5.1 1.0+abc 1.0+ABC 1.0+abc-5 1.0.post456.dev34 1.0.post456 1.0-1 1.0.post1 1.0.post 1.0.r1 1.0rev2 1.1.dev1 1!0.5 1!1.0 2013.10 2014.04 1.0.15 1.0alpha1 1.0-beta-2 1.0_pre3 v1.0 1.0a 1.0b 1.0.0.0.1 1.0dev 99999999999999999999999",
};

/** What random versions are made of. */
const parts: Readonly<Record<VersionOrder, { readonly first: string; readonly next: string }>> = {
  dpkg: { first: "0 1 2 10 01 1: 2:", next: "0 1 2 10 007 . .0 ~ ~~ + a b Z rc - -1 .1 ~deb12u1 +deb12u1" },
  rpm: { first: "0 1 2 10 01 1: a", next: "0 1 2 10 007 . .0 ~ ^ _ + a b Z rc -1 .1 .el9" },
  semver: { first: "1.0.0 1.0.1 1.2.0", next: "-0 -a -1 -A1 -10 -a.0 -a.1 -1.a -a-b -0a -rc.2 -rc.10 -a.b.1 -a.b.1a" },
  gem: { first: "0 1 2 10 01", next: ".0 .0.0 .1 .10 .007 .a .b .Z .rc1 .a.0 a b2" },
  pep440: { first: "0 1 2 1! 1.0", next: ".0 .0.0 .1 .10 a1 b2 rc1 .dev1 .dev10 .post1 -2 +a +1 +a.1" },
};

const RANDOM = 120;

const tool = (name: string): string => process.env[name.toUpperCase()] ?? name;

function output(command: string, ...words: string[]): string {
  return execFileSync(command, words, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
}

function succeeds(command: string, ...words: string[]): boolean {
  try {
    output(command, ...words);
    return true;
  } catch {
    return false;
  }
}

const comparisons: Readonly<Record<VersionOrder, Compare>> = {
  dpkg: (a, b) => {
    const is = (operator: string): boolean => succeeds(tool("dpkg"), "--compare-versions", a, operator, b);
    return is("lt") ? -1 : Number(is("gt"));
  },
  rpm: (a, b) => Number(output(tool("rpm"), "--eval", `%{lua: print(rpm.vercmp("${a}", "${b}"))}`)),
  semver: (a, b) => Number(output("node", "-p", `require("${tool("semver")}").compare("${a}", "${b}")`)),
  gem: (a, b) => Number(output(tool("ruby"), "-e", `p Gem::Version.new("${a}") <=> Gem::Version.new("${b}")`)),
  pep440: (a, b) =>
    Number(
      output(
        tool("python3"),
        "-c",
        `from packaging.version import Version as V; a, b = V("${a}"), V("${b}"); print((a > b) - (a < b))`,
      ),
    ),
};

/** What the tool accepts; its comparison fails with anything else. */
const accepts: Readonly<Record<VersionOrder, (version: string) => boolean>> = {
  dpkg: (version) => /^(?:\d+:)?\d[\w.+~]*(?:-[\w.+~]+)*$/.test(version),
  rpm: (version) => /^(?:\d+:)?[^:-]+(?:-[^:-]+)?$/.test(version),
  semver: () => true,
  gem: (version) => succeeds(tool("ruby"), "-e", `Gem::Version.new("${version}")`),
  pep440: (version) => succeeds(tool("python3"), "-c", `from packaging.version import Version as V; V("${version}")`),
};

function versionsOf(order: VersionOrder): string[] {
  const random = new Random(22, 0, order);
  const { first, next } = parts[order];
  const made = Array.from({ length: RANDOM }, () => {
    const count = order === "semver" ? 1 : random.integer(0, 5);
    return random.pick(first.split(" ")) + Array.from({ length: count }, () => random.pick(next.split(" "))).join("");
  });
  return [...new Set([...known[order].split(" "), ...made])].filter(accepts[order]);
}

/** Groups of equal versions, the lowest first. */
function ordered(order: VersionOrder): string[][] {
  const compare = comparisons[order];
  const groups: string[][] = [];
  for (const version of versionsOf(order)) {
    let [low, high] = [0, groups.length];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const sign = compare(groups[middle]?.[0] ?? "", version);
      if (sign === 0) [low, high] = [middle, middle];
      else if (sign < 0) low = middle + 1;
      else high = middle;
    }
    const group = groups[low];
    if (group !== undefined && compare(group[0] ?? "", version) === 0) group.push(version);
    else groups.splice(low, 0, [version]);
  }
  return groups;
}

/** A group a line, so that a new recording can be compared with this one. */
function written(order: VersionOrder): string {
  const lines = ordered(order).map((group) => `    ${JSON.stringify(group)}`);
  return `  ${JSON.stringify(order)}: [\n${lines.join(",\n")}\n  ]`;
}

const names = Object.keys(comparisons) as VersionOrder[];
writeFileSync(join(import.meta.dirname, "recorded.json"), `{\n${names.map(written).join(",\n")}\n}\n`);

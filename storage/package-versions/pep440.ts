import { numberKey } from "./number-key.ts";

const form = new RegExp(
  [
    String.raw`^v?(?:(?<epoch>\d+)!)?(?<release>\d+(?:\.\d+)*)`,
    String.raw`(?<pre>[-_.]?(?<phase>alpha|a|beta|b|preview|pre|c|rc)[-_.]?(?<preNumber>\d*))?`,
    String.raw`(?<post>-(?<shortPost>\d+)|[-_.]?(?:post|rev|r)[-_.]?(?<postNumber>\d*))?`,
    String.raw`(?<dev>[-_.]?dev[-_.]?(?<devNumber>\d*))?`,
    String.raw`(?:\+(?<local>[a-z0-9]+(?:[-_.][a-z0-9]+)*))?$`,
  ].join(""),
  "i",
);

const phases: Readonly<Record<string, string>> = { a: "a", alpha: "a", b: "b", beta: "b" };
const FIRST = "!";
const LAST = "~";

/**
 * The order of Python's packages (PEP 440), as pip uses it.
 * @returns undefined where it is no such version
 */
export function pep440Key(version: string): string | undefined {
  const parts = form.exec(version)?.groups;
  if (parts === undefined) return undefined;
  const { pre, phase = "", preNumber = "", post, shortPost, postNumber = "", dev, devNumber = "", local } = parts;
  const postKey = post === undefined ? FIRST : `p${numberKey(shortPost ?? postNumber)}`;
  const devKey = dev === undefined ? LAST : `d${numberKey(devNumber)}`;
  const isOnlyDev = dev !== undefined && post === undefined;
  const phaseKey = phases[phase.toLowerCase()] ?? "c";
  const withoutPre = isOnlyDev ? FIRST : LAST;
  const preKey = pre === undefined ? withoutPre : `${phaseKey}${numberKey(preNumber)}`;
  return [
    numberKey(parts["epoch"] ?? ""),
    releaseKey(parts["release"] ?? ""),
    preKey,
    postKey,
    devKey,
    localKey(local?.toLowerCase()),
  ].join("");
}

/** Zeros at the end do not count. */
function releaseKey(release: string): string {
  const numbers = release.replace(/(?:\.0+)+$/, "").split(".");
  return numbers.map((number) => `N${numberKey(number)}`).join("") + FIRST;
}

/** Texts sort before numbers. */
function localKey(local = ""): string {
  const segments = local.split(/[-_.]/).filter((segment) => segment !== "");
  const keys = segments.map((segment) => (/^\d+$/.test(segment) ? `N${numberKey(segment)}` : `A${segment}${FIRST}`));
  return keys.join("") + FIRST;
}

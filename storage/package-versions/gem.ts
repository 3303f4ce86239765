import { numberKey } from "./number-key.ts";

const form = /^(?:[0-9]+(?:\.[0-9a-zA-Z]+)*(?:-[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?)?$/;

/** What follows a version's last segment: as many zeros as the other version needs. */
const END = "M";

/**
 * RubyGems' order (`Gem::Version`): letters make a version a prerelease, missing segments are 0.
 * @returns undefined where it is no such version
 */
export function gemKey(version: string): string | undefined {
  if (!form.test(version)) return undefined;
  const segments = version.replaceAll("-", ".pre.").match(/[0-9]+|[A-Za-z]+/g) ?? [];
  const firstText = segments.findIndex(isText);
  const release = firstText < 0 ? segments : segments.slice(0, firstText);
  const significant = [...withoutZeros(release), ...withoutZeros(segments.slice(release.length))];
  return keysOf(significant).join("") + END;
}

/**
 * Text < 0 < other numbers. Zeros before a text sort before {@link END}, those before a number after it, as it represents
 * zeros itself.
 */
function keysOf(segments: readonly string[]): string[] {
  let beforeText = false;
  return segments
    .toReversed()
    .map((segment) => {
      if (isZero(segment)) return beforeText ? "L" : "N";
      beforeText = isText(segment);
      return beforeText ? `A${segment}!` : `P${numberKey(segment)}`;
    })
    .toReversed();
}

function withoutZeros(segments: readonly string[]): readonly string[] {
  return segments.slice(0, segments.findLastIndex((segment) => !isZero(segment)) + 1);
}

function isText(segment: string): boolean {
  return /^[A-Za-z]/.test(segment);
}

function isZero(segment: string): boolean {
  return /^0+$/.test(segment);
}

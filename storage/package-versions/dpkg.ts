import { numberKey } from "./number-key.ts";

/** The end of a text: only `~` sorts before it. */
const END = "#";

/** Debian's order (`dpkg --compare-versions`): epoch, upstream version, revision. */
export function dpkgKey(version: string): string {
  const { epoch = "", rest = "" } = /^(?:(?<epoch>\d+):)?(?<rest>.*)$/s.exec(version)?.groups ?? {};
  const dash = rest.lastIndexOf("-");
  const [upstream, revision] = dash < 0 ? [rest, ""] : [rest.slice(0, dash), rest.slice(dash + 1)];
  return numberKey(epoch) + partKey(upstream) + partKey(revision);
}

/** Texts and numbers in turn; a missing number is 0. */
function partKey(part: string): string {
  const pairs = [...part.matchAll(/(?<text>[^0-9]*)(?<digits>[0-9]*)/g)]
    .map(({ groups }) => ({ text: groups?.["text"] ?? "", digits: groups?.["digits"] ?? "" }))
    .filter(({ text, digits }, index) => index === 0 || text + digits !== "");
  return `${pairs.map(({ text, digits }) => `${textKey(text)}${numberKey(digits)}`).join("")}${END}`;
}

/** `~` sorts before the end, letters before everything else. */
function textKey(text: string): string {
  const keys = Array.from(text, (character) => {
    if (character === "~") return "!";
    return /[A-Za-z]/.test(character) ? character : `~${character}`;
  });
  return keys.join("") + END;
}

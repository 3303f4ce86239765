/** Where a value is in the facts of a node: keys of objects, indexes of lists. */
export type FactPath = readonly (string | number)[];

const BARE = /^[A-Za-z_][A-Za-z0-9_-]*$/;

/**
 * The path as a field of `inventory`: `facts.mountpoints."/".size_bytes`, `facts.dns.servers[0]`. PQL takes the text between
 * quotes as it is, and one index behind a name.
 * @returns undefined for paths that PQL cannot spell
 */
export function factField(path: FactPath): string | undefined {
  const parts: string[] = ["facts"];
  for (const [at, part] of path.entries()) {
    if (typeof part === "number") {
      if (typeof path[at - 1] !== "string") return undefined;
      parts.push(`${parts.pop() ?? ""}[${part}]`);
    } else if (BARE.test(part)) parts.push(part);
    else if (isQuotable(part, path[at + 1])) parts.push(`"${part}"`);
    else return undefined;
  }
  return parts.length === 1 ? undefined : parts.join(".");
}

/** Nothing ends a quoted part early, and it is not read as a name with an index. */
function isQuotable(part: string, next: string | number | undefined): boolean {
  // The parser ends a quoted part at a quote before a blank or a dot, so that an index behind it cannot be read.
  if (typeof next === "number") return false;
  return part !== "" && !/["\n\r\u0085\u2028\u2029]|\\$|\[\d+\]$/.test(part);
}

/** Reads what `factField` writes, and bare parts with other characters. @returns undefined when it is not a field of facts */
export function readFactField(field: string): FactPath | undefined {
  if (!field.startsWith("facts.")) return undefined;
  const path: (string | number)[] = [];
  let rest = field.slice("facts".length);
  while (rest !== "") {
    const [all = "", quoted, bare, index] =
      /^\.(?:"((?:(?!"(?:\.|$))[\s\S])+)"|([^."[\]]+)(?:\[(\d+)\])?)(?=\.|$)/.exec(rest) ?? [];
    if (all === "") return undefined;
    path.push(quoted ?? bare ?? "");
    if (index !== undefined) path.push(Number(index));
    rest = rest.slice(all.length);
  }
  return path;
}

/** A field of facts as it is shown: without `facts.`; undefined when it is none. */
export function factTitle(field: string): string | undefined {
  return readFactField(field) === undefined ? undefined : field.slice("facts.".length);
}

/** The path in the address of a fact's page: as PQL spells it behind `facts.`, or as JSON where PQL cannot. */
export function factAddress(path: FactPath): string {
  return factField(path)?.slice("facts.".length) ?? JSON.stringify(path);
}

/** Reads {@link factAddress}; undefined when the text is not a path. */
export function readFactAddress(text: string): FactPath | undefined {
  if (!text.startsWith("[")) return readFactField(`facts.${text}`);
  try {
    const path = JSON.parse(text) as unknown;
    return Array.isArray(path) && path.length > 0 && path.every(isPart) ? path : undefined;
  } catch {
    return undefined;
  }
}

function isPart(part: unknown): part is string | number {
  return typeof part === "string" || (typeof part === "number" && Number.isInteger(part) && part >= 0);
}

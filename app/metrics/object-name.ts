/**
 * The name of an MBean, or a pattern for such names: `java.lang:type=Memory`, `java.lang:type=GarbageCollector,name=*`.
 */
export interface ObjectName {
  readonly domain: string;
  /** in the order they were written */
  readonly properties: readonly (readonly [key: string, value: string])[];
  /** further properties are allowed: the pattern ends in `,*` or is `:*` */
  readonly open: boolean;
}

/** An invalid name; the message is PuppetDB's. */
export class MalformedName extends Error {}

/**
 * Reads a name or a pattern.
 * @throws MalformedName
 */
export function parseObjectName(text: string): ObjectName {
  const colon = text.indexOf(":");
  if (colon < 0) throw new MalformedName("Domain part must be specified");
  const domain = text.slice(0, colon);
  const list = text.slice(colon + 1);
  if (list === "") throw new MalformedName("Key properties cannot be empty");
  const properties: [string, string][] = [];
  let open = false;
  for (const part of splitProperties(list)) {
    if (part === "*") {
      if (open) throw new MalformedName("Cannot have several '*' characters in pattern property list");
      open = true;
      continue;
    }
    const [key, value] = readProperty(part);
    if (properties.some(([known]) => known === key)) throw new MalformedName(`key \`${key}' already defined`);
    properties.push([key, value]);
  }
  return { domain, properties, open };
}

function readProperty(part: string): [key: string, value: string] {
  const equals = part.indexOf("=");
  // The documents write pools without a key: `svc.database:PDBReadPool.pool.Usage`.
  if (equals < 0 && part !== "") return ["name", part];
  if (equals <= 0) throw new MalformedName("Key properties cannot be empty");
  return [part.slice(0, equals), part.slice(equals + 1)];
}

/** At commas, except those between quotes. */
function splitProperties(list: string): string[] {
  return list.match(/(?:"(?:\\.|[^"\\])*"|[^,"]|")+|(?<=,)$|^(?=,)|(?<=,)(?=,)/g) ?? [];
}

export function isPattern({ domain, properties, open }: ObjectName): boolean {
  return open || /[*?]/.test(domain) || properties.some(([, value]) => /[*?]/.test(value));
}

/** The key properties as text; `canonical`: in the order of their keys. */
export function propertyList({ properties, open }: ObjectName, canonical: boolean): string {
  const ordered = canonical ? properties.toSorted(([a], [b]) => (a < b ? -1 : 1)) : properties;
  return [...ordered.map(([key, value]) => `${key}=${value}`), ...(open ? ["*"] : [])].join(",");
}

/** The name as text, properties in the order of their keys: equal names have equal texts. */
export function canonicalName(name: ObjectName): string {
  return `${name.domain}:${propertyList(name, true)}`;
}

/** Whether a name matches a pattern. `*` matches any characters, `?` one. */
export function nameMatcher(pattern: ObjectName): (name: ObjectName) => boolean {
  const domain = wildcard(pattern.domain);
  const properties = pattern.properties.map(([key, value]) => [key, wildcard(value)] as const);
  return (name) => {
    if (!domain(name.domain)) return false;
    if (!pattern.open && name.properties.length !== properties.length) return false;
    const values = new Map(name.properties);
    return properties.every(([key, matches]) => {
      const value = values.get(key);
      return value !== undefined && matches(value);
    });
  };
}

function wildcard(pattern: string): (text: string) => boolean {
  if (!/[*?]/.test(pattern)) return (text) => text === pattern;
  return (text) => matches(pattern, text);
}

/** In time proportional to both lengths in the worst case, because only the last `*` is retried. */
function matches(pattern: string, text: string): boolean {
  let at = 0;
  let star = -1;
  let resume = 0;
  for (let position = 0; position < text.length;) {
    if (pattern[at] === "*") {
      star = at++;
      resume = position;
    } else if (at < pattern.length && (pattern[at] === "?" || pattern[at] === text[position])) {
      at++;
      position++;
    } else if (star >= 0) {
      at = star + 1;
      position = ++resume;
    } else {
      return false;
    }
  }
  return /^\**$/.test(pattern.slice(at));
}

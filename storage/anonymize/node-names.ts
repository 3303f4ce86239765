import type { Pseudonyms } from "./pseudonyms.ts";

/** A word like those in names of hosts, or several such words joined with hyphens. */
const WORDS = /[A-Za-z0-9]+(?:[_-]+[A-Za-z0-9]+)*/g;
const WORD = /^[A-Za-z0-9]+(?:[_-]+[A-Za-z0-9]+)*$/;
/** A short name that cannot be an ordinary word: it contains a digit, but is not a number. */
const TELLING = /^(?=.*\d)(?=.*[a-z]).{4,}$/;
/** Words with more parts are not names of hosts, e.g. encoded keys. */
const MOST_PARTS = 8;
/** Shorter names count only if they are the complete text. */
const SHORTEST_INSIDE = 4;
/** How many characters of domains are looked up, the dot included; those of short ones are fewer. */
const PREFIXES = [4, 3, 2] as const;

/** Certnames that end alike, e.g. all in `.example.com`. */
interface Domain {
  /** with its dot */
  readonly domain: string;
  /** the part before the suffix, with the original spelling of the certname */
  readonly hosts: Map<string, string>;
  /** lengths of the hosts, longest first */
  lengths: number[];
}

/** Where in a text a certname is. */
interface Place {
  readonly start: number;
  readonly end: number;
  readonly certname: string;
}

/**
 * The nodes' names, which are replaced in texts that are kept otherwise: in titles (`ping@web-01.example.com`), paths,
 * facts. Certnames with a dot are found anywhere; those without, and the short names of the others unless they are
 * ordinary words (`web-01`, but not `puppet`), only between characters that are neither letters nor digits. Case does
 * not matter. Contains only the names.
 */
export class NodeNames {
  readonly #pseudonyms: Pseudonyms;
  readonly #known = new Set<string>();
  /** by the first characters of the domain */
  readonly #domains = new Map<string, Domain[]>();
  /** replacements of separate words, by their lower case */
  readonly #words = new Map<string, () => string>();
  /** names that are not single words, longest first */
  #odd: string[] = [];

  constructor(pseudonyms: Pseudonyms) {
    this.#pseudonyms = pseudonyms;
  }

  /** Adds `certname`; returns whether it is new. */
  add(certname: string): boolean {
    if (certname === "" || this.#known.has(certname)) return false;
    this.#known.add(certname);
    const lower = certname.toLowerCase();
    const dot = lower.indexOf(".");
    // Some letters have a longer lower case.
    if (dot > 0 && dot < lower.length - 1 && lower.length === certname.length) {
      this.#addDotted(lower.slice(0, dot), lower.slice(dot), certname);
    } else if (WORD.test(lower)) {
      this.#words.set(lower, () => this.#pseudonyms.text("node", certname));
    } else if (certname.length >= SHORTEST_INSIDE) {
      this.#odd = [...this.#odd, certname].sort((a, b) => b.length - a.length);
    }
    return true;
  }

  /** `text` with every node's name in it replaced. */
  replaceIn(text: string): string {
    if (this.#known.has(text)) return this.#pseudonyms.text("node", text);
    let result = text;
    for (const name of this.#odd) {
      if (result.includes(name)) result = result.replaceAll(name, () => this.#pseudonyms.text("node", name));
    }
    if (result.includes(".")) result = this.#withoutDotted(result);
    return this.#words.size === 0 ? result : this.#withoutWords(result);
  }

  /** The replacement of a text that is the complete name of a host, known or not. */
  host(name: string): string {
    if (this.#known.has(name)) return this.#pseudonyms.text("node", name);
    const lower = name.toLowerCase();
    if (lower.indexOf(".") > 0) return this.#pseudonyms.text("node", lower);
    return this.#words.get(lower)?.() ?? this.#short(lower);
  }

  #addDotted(host: string, domain: string, certname: string): void {
    const prefix = domain.slice(0, PREFIXES[0]);
    const domains = this.#domains.get(prefix) ?? [];
    let found = domains.find((other) => other.domain === domain);
    if (found === undefined) {
      found = { domain, hosts: new Map(), lengths: [] };
      this.#domains.set(
        prefix,
        [...domains, found].sort((a, b) => b.domain.length - a.domain.length),
      );
    }
    found.hosts.set(host, certname);
    if (!found.lengths.includes(host.length)) found.lengths = [...found.lengths, host.length].sort((a, b) => b - a);
    if (TELLING.test(host) && WORD.test(host) && !this.#words.has(host)) this.#words.set(host, () => this.#short(host));
  }

  /** The first part of what replaces every certname that begins so. */
  #short(host: string): string {
    return host === "" ? "" : this.#pseudonyms.text("node", host).slice(0, 10);
  }

  #withoutDotted(text: string): string {
    const lower = text.toLowerCase();
    const searched = lower.length === text.length ? lower : text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
    let result = "";
    let done = 0;
    for (let dot = searched.indexOf("."); dot !== -1; dot = searched.indexOf(".", dot + 1)) {
      const found = this.#certnameAround(searched, dot, done);
      if (found === undefined) continue;
      result += text.slice(done, found.start) + this.#pseudonyms.text("node", found.certname);
      done = found.end;
      dot = done - 1;
    }
    return done === 0 ? text : result + text.slice(done);
  }

  /** The longest certname whose first dot is the one at `dot` and that does not begin before `from`. */
  #certnameAround(text: string, dot: number, from: number): Place | undefined {
    for (const size of PREFIXES) {
      for (const { domain, hosts, lengths } of this.#domains.get(text.slice(dot, dot + size)) ?? []) {
        if (!text.startsWith(domain, dot)) continue;
        for (const length of lengths) {
          const start = dot - length;
          const certname = start < from ? undefined : hosts.get(text.slice(start, dot));
          if (certname === undefined) continue;
          const place = { start, end: dot + domain.length, certname };
          // One that long is found even between letters and digits.
          if (certname.length >= 12 || standsAlone(text, place)) return place;
        }
      }
    }
    return undefined;
  }

  #withoutWords(text: string): string {
    return text.replace(WORDS, (word) => this.#word(word));
  }

  /** The replacement of a word that is a name, or that contains names between its hyphens. */
  #word(word: string): string {
    const whole = this.#words.get(word.toLowerCase());
    if (whole !== undefined) return whole();
    if (!/[_-]/.test(word) || !/\d/.test(word)) return word;
    const parts = word.split(/([_-]+)/);
    if (parts.length >= MOST_PARTS * 2) return word;
    for (let length = parts.length - 2; length > 0; length -= 2) {
      for (let start = 0; start + length <= parts.length; start += 2) {
        const name = this.#words.get(
          parts
            .slice(start, start + length)
            .join("")
            .toLowerCase(),
        );
        if (name === undefined) continue;
        return parts.slice(0, start).join("") + name() + this.#withoutWords(parts.slice(start + length).join(""));
      }
    }
    return word;
  }
}

function standsAlone(text: string, { start, end }: Place): boolean {
  return !/[a-z0-9]/i.test(text.charAt(start - 1)) && !/[a-z0-9]/i.test(text.charAt(end));
}

/** Something that the browser remembers. */
export interface Stored<T> {
  /** What was remembered; the fallback where nothing was, or nothing that can be used. */
  readonly read: () => T;
  /** @returns false in a browser without storage, where it is remembered as long as the page is open */
  readonly write: (value: T) => boolean;
}

/** How a value is written as JSON. Other versions may have written what is read. */
export interface StoredCodec<T> {
  /** @returns undefined when the value cannot be used */
  readonly read: (value: unknown) => T | undefined;
  /** @returns undefined to remember nothing; default: the value itself */
  readonly write?: (value: T) => unknown;
  readonly fallback: T;
}

/** What the browser remembers of this site, or with `session` this tab, by a key: `theme`. */
export function stored<T>(
  key: string,
  { read, write = (value) => value, fallback }: StoredCodec<T>,
  { session = false } = {},
): Stored<T> {
  const name = `census.${key}`;
  // Browsers without storage throw where it is looked for.
  const storage = (): Storage => (session ? sessionStorage : localStorage);
  return {
    read: () => {
      try {
        return read(parsed(storage().getItem(name))) ?? fallback;
      } catch {
        return fallback;
      }
    },
    write: (value) => {
      try {
        const written = write(value);
        if (written === undefined) storage().removeItem(name);
        else storage().setItem(name, JSON.stringify(written));
        return true;
      } catch {
        return false;
      }
    },
  };
}

function parsed(text: string | null): unknown {
  try {
    return JSON.parse(text ?? "null");
  } catch {
    // Earlier versions wrote choices without quotes.
    return text;
  }
}

/** One of some texts, of which the first is the fallback. */
export function choice<const T extends string>(texts: readonly [T, ...T[]]): StoredCodec<T> {
  return {
    read: (value) => texts.find((one) => one === value),
    write: (value) => (value === texts[0] ? undefined : value),
    fallback: texts[0],
  };
}

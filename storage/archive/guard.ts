import { CensusError } from "#storage/errors.ts";

/** Limits of an archive that valid exports do not reach. Bytes unless noted otherwise. */
export interface ArchiveLimits {
  /** size of one member, unpacked */
  readonly memberBytes: number;
  /** size of everything, unpacked */
  readonly totalBytes: number;
  /** number of entries, folders included */
  readonly members: number;
  /** length of a member's name in UTF-8 */
  readonly nameBytes: number;
  /** unpacked bytes per byte of the file, checked once {@link ratioFrom} bytes are unpacked */
  readonly ratio: number;
  /** unpacked bytes from which on {@link ratio} is checked */
  readonly ratioFrom: number;
}

const MIB = 1024 ** 2;
const GIB = 1024 ** 3;

/**
 * Default limits. Deflate cannot exceed 1032:1, which only runs of one byte reach; repeating the same document stays
 * below 150:1, and real exports are near 12:1. 500:1 is between the two.
 */
export const DEFAULT_LIMITS: ArchiveLimits = {
  memberBytes: 256 * MIB,
  totalBytes: 64 * GIB,
  members: 20_000_000,
  nameBytes: 65_535,
  ratio: 500,
  ratioFrom: 64 * MIB,
};

/** Maximum characters of a member's name in a message. */
const SHOWN_NAME = 120;

/** Invalid names by their patterns; the first that matches is reported. */
const INVALID_NAMES: readonly (readonly [RegExp, string])[] = [
  [/^$/, "has an empty name"],
  [/\0/, "has a name with a NUL character"],
  [/^\//, "has an absolute path"],
  [/^[A-Za-z]:/, "has a Windows drive in its path"],
  [/\\/, "has a Windows path (backslash)"],
  [/(?:^|\/)\.\.(?:\/|$)/, "has a path that leaves the archive (..)"],
];

/** An archive that cannot be used, e.g. `site.tgz: empty file`. */
export function archiveError(path: string, what: string, cause?: unknown): CensusError {
  return new CensusError("bad-file", `${path}: ${what}`, cause === undefined ? undefined : { cause });
}

/** A member's name for a message: in quotes, on one line, cut if it is long. */
export function shown(name: string): string {
  return JSON.stringify(name.length > SHOWN_NAME ? `${name.slice(0, SHOWN_NAME)}…` : name);
}

/** Checks an archive while it is read; every method throws a `bad-file` CensusError when something is not allowed. */
export class ArchiveGuard {
  readonly #path: string;
  readonly #limits: ArchiveLimits;
  #members = 0;
  #unpacked = 0;
  #last = "";

  constructor(path: string, limits: Partial<ArchiveLimits> = {}) {
    this.#path = path;
    this.#limits = { ...DEFAULT_LIMITS, ...limits };
  }

  /** The number of entries by the archive's own directory. */
  expect(members: number): void {
    if (members > this.#limits.members) throw this.error(`more than ${this.#limits.members} members`);
  }

  /** Counts one entry and returns its name without a leading `./`; the empty string is the archive's own folder. */
  enter(raw: string, kind: "file" | "folder"): string {
    this.#members += 1;
    this.expect(this.#members);
    const name = raw.replace(/^(?:\.\/)+/, "");
    const length = Buffer.byteLength(name);
    if (length > this.#limits.nameBytes) {
      throw this.error(`member ${shown(name)} has a name of ${length} bytes, allowed are ${this.#limits.nameBytes}`);
    }
    const wrong = INVALID_NAMES.find(([pattern]) => pattern.test(name));
    if (wrong !== undefined && !(kind === "folder" && name === "")) {
      throw this.error(`member ${shown(raw)} ${wrong[1]}`);
    }
    this.#last = name;
    return name;
  }

  /** The size of one member, as declared or as counted so far. */
  member(name: string, bytes: number): void {
    if (bytes <= this.#limits.memberBytes) return;
    throw this.error(`member ${shown(name)} is larger than the ${this.#limits.memberBytes} bytes allowed`);
  }

  /**
   * Counts `bytes` unpacked bytes.
   * @param fileBytes the bytes of the packed file that all bytes so far came from; absent: they were not packed
   */
  unpacked(bytes: number, fileBytes?: number): void {
    this.#unpacked += bytes;
    if (this.#unpacked > this.#limits.totalBytes) {
      throw this.error(`unpacks to more than the ${this.#limits.totalBytes} bytes allowed${this.where()}`);
    }
    if (fileBytes === undefined) return;
    if (this.#unpacked > this.#limits.ratioFrom && this.#unpacked > fileBytes * this.#limits.ratio) {
      const ratio = `more than ${this.#limits.ratio} bytes for each byte of the file`;
      throw this.error(`unpacks to ${ratio}${this.where()}: a decompression bomb`);
    }
  }

  error(what: string, cause?: unknown): CensusError {
    return archiveError(this.#path, what, cause);
  }

  /** The current place, for the end of a message. */
  where(): string {
    return this.#last === "" ? " before the first member" : ` in or after member ${shown(this.#last)}`;
  }
}

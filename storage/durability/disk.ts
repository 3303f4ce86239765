import { closeSync, fsyncSync, openSync, rmSync, statfsSync, writeSync } from "node:fs";
import { join } from "node:path";
import { CensusError, messageOf } from "../errors.ts";
import { isOfDisk, remedyOf } from "../remedy.ts";

/** Milliseconds between attempts to write while nothing can be written. */
const INTERVAL = 5000;

/** Bytes that must fit before the directory counts as writable again: less is gone with the next command. */
const PROBE = Buffer.alloc(1024 * 1024, 1);

/** A hidden name, which no other part of a data directory has. */
const PROBE_FILE = ".write-test";

export interface DiskOptions {
  /** The data directory, and folders in it that may be other file systems. */
  readonly folders: readonly [directory: string, ...others: string[]];
  /** Whether commands still wait because they could not be stored. */
  readonly isStalled: () => boolean;
  /** Receives one sentence when writing begins to fail, and one when it works again. */
  readonly onNotice: (text: string) => void;
}

/** Whether a data directory can be written: begins with the first write that fails, ends when writing works again. */
export class Disk {
  readonly #options: DiskOptions;
  #failure: { readonly text: string; readonly since: number } | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: DiskOptions) {
    this.#options = options;
  }

  /** Why nothing can be stored at present; undefined if the latest writes worked. */
  get problem(): string | undefined {
    return this.#failure?.text;
  }

  /** Bytes that this process may still write; undefined where the system does not say. */
  get freeBytes(): number | undefined {
    try {
      const { bavail, bsize } = statfsSync(this.#options.folders[0]);
      return bavail * bsize;
    } catch {
      return undefined;
    }
  }

  /** Commands could not be stored: a matter of the disk if the error is. */
  failed(error: Error): void {
    const cause = error instanceof CensusError && error.cause instanceof Error ? error.cause : error;
    if (this.#failure !== undefined || !isOfDisk(cause)) return;
    const [reason] = messageOf(cause).split("\n");
    const text = `${this.#options.folders[0]}: cannot be written, and no commands are stored: ${reason}; ${remedyOf(cause)}`;
    this.#failure = { text, since: performance.now() };
    this.#options.onNotice(text);
    this.#timer = setInterval(() => this.#check(), INTERVAL).unref();
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #check(): void {
    const { folders, isStalled, onNotice } = this.#options;
    if (this.#failure === undefined || isStalled() || !folders.every(canWrite)) return;
    const seconds = Math.round((performance.now() - this.#failure.since) / 1000);
    this.#failure = undefined;
    this.close();
    onNotice(`${folders[0]}: can be written again after ${seconds} s, and commands are stored`);
  }
}

/** Tries it: neither free space nor a quota or a disk that fails can be known otherwise. */
function canWrite(folder: string): boolean {
  const path = join(folder, PROBE_FILE);
  try {
    const file = openSync(path, "w", 0o600);
    try {
      const isWhole = writeSync(file, PROBE) === PROBE.length;
      fsyncSync(file);
      return isWhole;
    } finally {
      closeSync(file);
    }
  } catch {
    return false;
  } finally {
    rmSync(path, { force: true });
  }
}

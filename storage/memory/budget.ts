import { availableParallelism } from "node:os";
import { detectMemoryLimit, type MemoryLimit } from "./limit.ts";

const MB = 1024 * 1024;

/** How the memory that the process may have is divided. All sizes are bytes. */
export interface MemoryBudget {
  readonly limit: MemoryLimit;
  /** Whether there is so little that it has to be watched what is used. */
  readonly isWatched: boolean;
  /** What the engine may use for a database in a file; what does not fit is written to a temporary file. */
  readonly engine: number;
  /** The same for a database in memory, which has no other place for its rows. */
  readonly engineInMemory: number;
  /** Threads of the engine, each of which has buffers of its own; undefined: one per processor. */
  readonly engineThreads: number | undefined;
  /** Threads that prepare commands. */
  readonly preparingThreads: number;
  /** Largest heap of one such thread, apart from short-lived objects; undefined: as V8 has it. */
  readonly preparingHeap: number | undefined;
  /** Space for short-lived objects in such a thread. */
  readonly preparingYoung: number;
  /** Bodies of requests that are received or unpacked at the same time. */
  readonly bodies: number;
  /** The largest command that can be prepared, unpacked. */
  readonly largestCommand: number;
  /** Payloads that the queue keeps in memory besides on disk. */
  readonly recentPayloads: number;
  /** Payloads of commands that are prepared and written together, as far as they are larger than one command. */
  readonly batch: { readonly commands: number; readonly bytes: number };
  /** Answers of the explorer that are kept to be sent again, and counts of reports by time that are kept to be added to. */
  readonly keptAnswers: number;
  readonly keptCounts: number;
  /** Queries that the engine works at the same time. */
  readonly queries: number;
  /** Long answers that are sent at the same time, each of which keeps its place in the engine until it is read. */
  readonly longAnswers: number;
  /** Exports that are sent at the same time; each is one of the long answers as well. */
  readonly exports: number;
  /** What one statement of an export should bring; the engine takes several times as much to make it. */
  readonly exportRange: number;
}

/** With less than this (bytes) the process cannot do its work. */
export const leastMemory = 256 * MB;

/** What the process takes before it does anything: Node, our code, the engine without data. */
const BASE = 80 * MB;

/** Of the limit this part is left alone, for what no one counts: allocators' gaps, stacks, buffers of sockets. */
const SLACK = 0.1;

/** From here on nothing needs to be small, and there may be as many preparing threads as processors. */
const AMPLE = 2048 * MB;

/** The engine needs no more than this for a database in a file. */
const LARGEST_ENGINE = 256_000_000;

/** The largest command that is accepted however much memory there is. */
const LARGEST_COMMAND = 512 * MB;

/** A catalog takes this many times its bytes to be prepared and written: its text, its values, its rows, twice. */
const PREPARING = 6.5;

/** What else has grown when such a one comes. */
const BESIDES = 96 * MB;

/** A query that joins large tables takes this much of the engine, and one whose answer waits for its client as well. */
const QUERY = 30 * MB;
const LONG_ANSWER = 40 * MB;

/** An export takes this much outside of the engine: lines that many nodes share, ranges of members, what is compressed. */
const EXPORT = 160 * MB;

/**
 * Bytes that one statement of an export should bring, where there is enough memory. The engine takes about six times as
 * much to gather them, and with little memory has that for nothing else. With 3 MB an export takes a twentieth longer, with
 * 2 MB a sixth.
 */
const EXPORT_RANGE = 5 * MB;
const PART_OF_ENGINE = 48;

/** Divides a limit; where there is much, by what each part can make use of. */
export function divide(limit: MemoryLimit, processors = availableParallelism()): MemoryBudget {
  const usable = Math.max(32 * MB, limit.bytes * (1 - SLACK) - BASE);
  const isAmple = limit.bytes >= AMPLE;
  const engine = between(40 * MB, (usable - 64 * MB) * 0.48, LARGEST_ENGINE);
  const preparing = usable - engine;
  const preparingThreads = isAmple ? processors : preparing > 512 * MB ? Math.min(2, processors) : 1;
  const preparingHeap = isAmple ? undefined : Math.floor((usable * 0.7) / preparingThreads);
  return {
    limit,
    isWatched: !isAmple,
    engine,
    engineInMemory: Math.floor(Math.max(48 * MB, usable * 0.7)),
    engineThreads: isAmple ? undefined : usable > 400 * MB ? Math.min(2, processors) : 1,
    preparingThreads,
    preparingHeap,
    preparingYoung: isAmple ? 24 * MB : usable > 400 * MB ? 8 * MB : 4 * MB,
    bodies: between(8 * MB, usable * 0.25, Infinity),
    largestCommand: between(4 * MB, (usable - BESIDES) / PREPARING, LARGEST_COMMAND),
    recentPayloads: between(2 * MB, usable * 0.02, 16 * MB),
    batch: isAmple ? { commands: 256, bytes: 2 * MB } : { commands: 128, bytes: usable > 400 * MB ? MB : MB / 2 },
    keptAnswers: between(2 * MB, usable * 0.02, 32 * MB),
    keptCounts: between(MB, usable * 0.01, 16 * MB),
    queries: between(1, engine / QUERY, 8),
    longAnswers: between(1, engine / LONG_ANSWER, 6),
    exports: between(1, preparing / EXPORT, 4),
    exportRange: between(MB / 2, engine / PART_OF_ENGINE, EXPORT_RANGE),
  };
}

function between(least: number, value: number, most: number): number {
  return Math.floor(Math.max(least, Math.min(value, most)));
}

let budget: MemoryBudget | undefined;

/** The division that this process goes by; made when it is first needed. */
export function memoryBudget(): MemoryBudget {
  budget ??= divide(detectMemoryLimit());
  return budget;
}

/**
 * Limits the process to less than it may have, before anything is opened.
 * @param bytes undefined: what the system allows
 */
export function limitMemory(bytes: number | undefined): MemoryBudget {
  const allowed = detectMemoryLimit();
  budget = divide(bytes !== undefined && bytes < allowed.bytes ? { bytes, source: "memory-limit" } : allowed);
  return budget;
}

import { availableParallelism } from "node:os";
import { detectMemoryLimit, type MemoryLimit } from "./limit.ts";

const MB = 1024 * 1024;

/** What the memory that the process may use is divided into, in bytes: together no more than the limit. */
export interface MemoryParts {
  /** Node, our code, the engine without data; and what is not counted: allocators' gaps, stacks, buffers of sockets. */
  readonly process: number;
  /** The engine's limit for a database in a file; data beyond it are written to a temporary file. */
  readonly engine: number;
  /** What the engine may have in addition for what it keeps about changed rows. */
  readonly changedRows: number;
  /** Ids by the digests of rows of dictionary tables. */
  readonly ids: number;
  /** Cached answers of queries and of the explorer. */
  readonly answers: number;
  /** Payloads in the queue that are in memory as well as on disk. */
  readonly recentPayloads: number;
  /** Texts of megabytes that results contain and that are read at the same time. */
  readonly longTexts: number;
  /** What exports have outside of the engine. */
  readonly exports: number;
  /** Bodies of requests that are received or unpacked at the same time. */
  readonly bodies: number;
  /** Commands that are prepared: what the others leave. A large command that is alone has that of the bodies as well. */
  readonly preparing: number;
}

/** What follows from the parts, in bytes where nothing else is said. */
export interface MemoryBudget extends Omit<MemoryParts, "exports" | "process"> {
  readonly limit: MemoryLimit;
  /** The engine's limit for a database in memory, whose rows cannot be anywhere else. */
  readonly engineInMemory: number;
  /**
   * What the engine may have beyond the parts, but not for long: for one result that is read alone, and while a file is
   * reopened; and for a checkpoint, which must not fail.
   */
  readonly engineExtra: number;
  readonly engineReserve: number;
  /** Threads of the engine, each with buffers of its own. */
  readonly engineThreads: number;
  /** Threads that prepare commands. */
  readonly preparingThreads: number;
  /** Maximum heap of one such thread, without short-lived objects: the largest command is prepared in one. */
  readonly preparingHeap: number;
  /** Space for short-lived objects in such a thread. */
  readonly preparingYoung: number;
  /** The largest command that can be prepared, unpacked. */
  readonly largestCommand: number;
  /** The same for a report. */
  readonly largestReport: number;
  /** Larger commands are prepared and written alone. */
  readonly heavy: number;
  /** Entries of a dictionary table that are in memory. */
  readonly dictionaryEntries: number;
  /** Queries that the engine runs at the same time. */
  readonly queries: number;
  /** Long results that are sent at the same time; each occupies the engine until it has been read. */
  readonly longAnswers: number;
  /** Exports that are sent at the same time; each counts as a long result as well. */
  readonly exports: number;
  /** Views of one state that an export reads in parallel: with one, the engine is the bottleneck. */
  readonly exportViews: number;
}

/** The process cannot work with less than this (bytes). */
export const minimumMemory = 512 * MB;

/** Payloads of commands that are prepared and written together, where they exceed one command. */
export const batchLimits = { commands: 256, bytes: 2 * MB } as const;

/**
 * Bytes that one statement of an export should return. The engine needs about six times as much to join them. With 5 MB an
 * export takes 5 % less time, with 2 MB 12 % more.
 */
export const exportRange = 3 * MB;

/** How many times its bytes something needs. */
const times = {
  /** A catalog that is prepared and written: its text, its values, its rows, twice. */
  command: 6.5,
  /** A report: its resources are stored as they are, and their events as rows. */
  report: 8,
  /** A range of a view that is exported, outside of the engine: lines that many nodes share, members, compressed data. */
  range: 4,
} as const;

/** What an export has outside of the engine for each view that it reads. */
const VIEW = times.range * exportRange;

/** Entries of the two largest dictionary tables take these bytes together. */
const ENTRIES = 2 * 26;

/** The parts of a limit. */
export function partsOf(limit: number): MemoryParts {
  const process = limit * 0.1 + 80 * MB;
  const usable = Math.max(32 * MB, limit - process);
  const counted = {
    // For a database in a file the engine does not need more.
    engine: between(40 * MB, usable * 0.4, 256_000_000),
    changedRows: between(0, usable * 0.04, 128 * MB),
    ids: between(500_000 * ENTRIES, usable * 0.05, 2_500_000 * ENTRIES),
    answers: between(3 * MB, usable * 0.03, 48 * MB),
    recentPayloads: between(2 * MB, usable * 0.01, 16 * MB),
    longTexts: between(8 * MB, usable * 0.08, Infinity),
    exports: between(VIEW, usable * 0.05, 4 * 2 * VIEW),
    bodies: between(8 * MB, usable * 0.15, Infinity),
  };
  const rest = usable - Object.values(counted).reduce((sum, part) => sum + part);
  return { process, ...counted, preparing: between(MB, rest, Infinity) };
}

/** Divides a limit. */
export function divide(limit: MemoryLimit, processors = availableParallelism()): MemoryBudget {
  const { process: uncounted, exports, ...parts } = partsOf(limit.bytes);
  const { engine, changedRows, bodies, preparing } = parts;
  const usable = limit.bytes - uncounted;
  const preparingThreads = between(1, usable / (512 * MB), Math.min(4, processors));
  const preparingYoung = between(8 * MB, usable / 72, 24 * MB);
  // A heap has three times the space for short-lived objects; one batch is prepared while another is written.
  const ofBatches = preparingThreads * 3 * preparingYoung + 2 * times.command * batchLimits.bytes;
  const alone = engine + bodies + preparing;
  const exportViews = between(1, exports / (2 * VIEW), 2);
  // Larger ones are not accepted, whatever the memory.
  const largestCommand = between(4 * MB, alone / times.command, 512 * MB);
  return {
    ...parts,
    limit,
    engineInMemory: between(40 * MB, engine + changedRows + preparing - ofBatches, Infinity),
    engineExtra: Math.floor(limit.bytes / 8),
    engineReserve: 64 * MB,
    engineThreads: between(1, usable / (256 * MB), processors),
    preparingThreads,
    preparingHeap: Math.floor(largestCommand * times.command),
    preparingYoung,
    largestCommand,
    largestReport: between(4 * MB, alone / times.report, largestCommand),
    heavy: Math.floor(preparing / (2 * times.command)),
    dictionaryEntries: Math.floor(parts.ids / ENTRIES),
    // The engine's memory for a query that joins large tables.
    queries: between(1, engine / (30 * MB), 8),
    // A document of megabytes that waits for its client takes as much again outside of the engine.
    longAnswers: between(1, usable / (160 * MB), 6),
    exports: between(1, exports / (exportViews * VIEW), 4),
    exportViews,
  };
}

function between(least: number, value: number, most: number): number {
  return Math.floor(Math.max(least, Math.min(value, most)));
}

let budget: MemoryBudget | undefined;

/** The division for this process; made when it is first needed. */
export function memoryBudget(): MemoryBudget {
  budget ??= divide(detectMemoryLimit());
  return budget;
}

/**
 * Limits the process to less than the system allows, before anything is opened.
 * @param bytes undefined: what the system allows
 */
export function limitMemory(bytes: number | undefined): MemoryBudget {
  const allowed = detectMemoryLimit();
  budget = divide(bytes !== undefined && bytes < allowed.bytes ? { bytes, source: "memory-limit" } : allowed);
  return budget;
}

import { availableParallelism } from "node:os";
import { detectMemoryLimit, type MemoryLimit } from "./limit.ts";

const MB = 1024 * 1024;

/** The division of the memory that the process may use. All sizes are bytes. */
export interface MemoryBudget {
  readonly limit: MemoryLimit;
  /** The engine's limit for a database in a file; data beyond it are written to a temporary file. */
  readonly engine: number;
  /** The same for a database in memory, whose rows cannot be anywhere else. */
  readonly engineInMemory: number;
  /** What the engine may have in addition for what it keeps about changed rows, at most. */
  readonly changedRows: number;
  /** Whether results with texts of megabytes are read in parts from the beginning, because the engine would copy all of them. */
  readonly readsInParts: boolean;
  /** Threads of the engine, each with buffers of its own; undefined: one per processor. */
  readonly engineThreads: number | undefined;
  /** Threads that prepare commands. */
  readonly preparingThreads: number;
  /** Maximum heap of one such thread, without short-lived objects; undefined: V8's default. */
  readonly preparingHeap: number | undefined;
  /** Space for short-lived objects in such a thread. */
  readonly preparingYoung: number;
  /** Bodies of requests that are received or unpacked at the same time. */
  readonly bodies: number;
  /** The largest command that can be prepared, unpacked. */
  readonly largestCommand: number;
  /** The same for a report. */
  readonly largestReport: number;
  /** Larger commands are prepared and written alone. */
  readonly heavy: number;
  /** Entries of a dictionary table that are in memory. */
  readonly dictionaryEntries: number;
  /** Payloads in the queue that are in memory as well as on disk. */
  readonly recentPayloads: number;
  /** Payloads of commands that are prepared and written together, where they exceed one command. */
  readonly batch: { readonly commands: number; readonly bytes: number };
  /** Cached answers of queries and of the explorer. */
  readonly answers: number;
  /** Queries that the engine runs at the same time. */
  readonly queries: number;
  /** Long results that are sent at the same time; each occupies the engine until it has been read. */
  readonly longAnswers: number;
  /** Texts of megabytes that results contain and that are read at the same time; the engine needs several times as much. */
  readonly longTexts: number;
  /** Exports that are sent at the same time; each counts as a long result as well. */
  readonly exports: number;
  /** Views of one state that an export reads in parallel: with one, the engine is the bottleneck; two need twice the memory. */
  readonly exportViews: number;
  /** Bytes that one statement of an export should return; the engine needs several times as much. */
  readonly exportRange: number;
}

/** The process cannot work with less than this (bytes). */
export const minimumMemory = 512 * MB;

/** What the process uses before it does anything: Node, our code, the engine without data. */
const BASE = 80 * MB;

/** This part of the limit remains unused, for what is not counted: allocators' gaps, stacks, buffers of sockets. */
const SLACK = 0.1;

/** From here on nothing needs to be small, and there may be as many preparing threads as processors. */
const AMPLE = 2048 * MB;

/** The engine does not need more than this for a database in a file. */
const MAX_ENGINE = 256_000_000;

/** It does not keep more than this about changed rows before the file is opened anew. */
const MAX_CHANGED_ROWS = 128 * MB;

/** An entry of a dictionary table, found by its digest. */
const DICTIONARY_ENTRY = 26;

/** The largest command that is accepted, whatever the memory. */
const MAX_COMMAND = 512 * MB;

/** A catalog needs this many times its bytes to be prepared and written: its text, its values, its rows, twice. */
const PREPARING = 6.5;

/** A report needs more: its resources are stored as they are, and their events as rows. */
const PREPARING_REPORT = 8;

/** The thread that prepares it needs this many times its bytes in its heap. */
const PREPARING_IN_HEAP = 5;

/** Other memory that has grown when such a command arrives. */
const OVERHEAD = 96 * MB;

/** The engine's memory for a query that joins large tables, and for one whose result is waiting for its client. */
const QUERY = 30 * MB;
const LONG_ANSWER = 40 * MB;

/** The same where memory is limited: a document of megabytes that waits takes as much again outside of the engine. */
const LONG_ANSWER_LIMITED = 72 * MB;

/** Memory of an export outside of the engine: lines that many nodes share, ranges of members, compressed data. */
const EXPORT = 160 * MB;

/**
 * Bytes that one statement of an export should return where memory is not limited. The engine needs about six times as
 * much to join them, and with little memory has nothing else to use it for. With 3 MB an export takes 5 % longer, with
 * 2 MB 17 %.
 */
const EXPORT_RANGE = 5 * MB;
const PART_OF_ENGINE = 48;

/** Divides a limit; where there is much memory, by what each part can use. */
export function divide(limit: MemoryLimit, processors = availableParallelism()): MemoryBudget {
  const usable = Math.max(32 * MB, limit.bytes * (1 - SLACK) - BASE);
  const isAmple = limit.bytes >= AMPLE;
  const engine = between(40 * MB, (usable - 64 * MB) * 0.48, MAX_ENGINE);
  const preparing = usable - engine;
  const preparingThreads = isAmple ? processors : preparing > 512 * MB ? Math.min(2, processors) : 1;
  const preparingHeap = isAmple ? undefined : Math.floor((usable * 0.7) / preparingThreads);
  const mostInHeap = preparingHeap === undefined ? MAX_COMMAND : preparingHeap / PREPARING_IN_HEAP;
  return {
    limit,
    engine,
    engineInMemory: Math.floor(usable * 0.7),
    changedRows: between(0, usable / 16, MAX_CHANGED_ROWS),
    readsInParts: !isAmple,
    engineThreads: isAmple ? undefined : usable > 400 * MB ? Math.min(2, processors) : 1,
    preparingThreads,
    preparingHeap,
    preparingYoung: isAmple ? 24 * MB : 8 * MB,
    bodies: between(8 * MB, usable * 0.25, Infinity),
    largestCommand: between(4 * MB, (usable - OVERHEAD) / PREPARING, mostInHeap),
    largestReport: between(4 * MB, (usable - OVERHEAD) / PREPARING_REPORT, mostInHeap),
    heavy: Math.floor(preparing / (4 * PREPARING)),
    dictionaryEntries: between(500_000, (usable * 0.05) / DICTIONARY_ENTRY, 2_500_000),
    recentPayloads: between(2 * MB, usable * 0.02, 16 * MB),
    batch: isAmple ? { commands: 256, bytes: 2 * MB } : { commands: 128, bytes: MB },
    answers: between(3 * MB, usable * 0.03, 48 * MB),
    queries: between(1, engine / QUERY, 8),
    longAnswers: between(1, engine / (isAmple ? LONG_ANSWER : LONG_ANSWER_LIMITED), 6),
    longTexts: between(8 * MB, usable * 0.1, Infinity),
    exports: between(1, preparing / EXPORT, 4),
    exportViews: isAmple ? 2 : 1,
    exportRange: between(MB / 2, engine / PART_OF_ENGINE, EXPORT_RANGE),
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

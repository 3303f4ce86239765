import { CensusError } from "../../errors.ts";
import type { CommandEvent } from "../../queue/events.ts";
import type { Comparison, QueueEntry } from "../../queue/entry.ts";
import type { Clock } from "../../time.ts";
import { isCommandName, isProcessed } from "../../wire/commands.ts";
import type { Family, Instruments, Registry } from "../registry.ts";

/** The instruments for all commands together and for each command and version (`reference/metrics.md §5.1`). */
const items = {
  seen: "meter",
  processed: "meter",
  fatal: "meter",
  retried: "meter",
  discarded: "meter",
  "awaiting-retry": "counter",
  "retry-counts": "histogram",
  "processing-time": "timer",
  "queue-time": "histogram",
  size: "histogram",
  depth: "counter",
  invalidated: "counter",
  ignored: "counter",
  "message-persistence-time": "timer",
} as const satisfies Family;

/** The instruments that exist only for all commands together. */
const globalItems = {
  "command-parse-time": "timer",
  "concurrent-depth": "counter",
  // Ours: commands that were stored although their checksum was wrong.
  "checksum-mismatches": "counter",
} as const satisfies Family;

type CommandInstruments = Instruments<typeof items>;
type Counted = Pick<QueueEntry, "command" | "version">;

/** The measured part of a command queue. */
export interface MeasuredQueue {
  /** Commands that are not finished. */
  readonly depth: number;
  /** Commands that wait for another attempt. */
  readonly awaitingRetry: number;
}

/** The measured part of a log that several stores follow. */
export interface FollowedFigures {
  readonly position: number;
  readonly head: number;
  readonly behindSeconds: number;
  readonly silentSeconds: number | undefined;
  readonly comparison: Comparison | undefined;
}

/** Counts what happens to commands (`reference/commands.md §2.8`). */
export class CommandMetrics {
  readonly #registry: Registry;
  readonly #clock: Clock;
  readonly #global: CommandInstruments & Instruments<typeof globalItems>;
  readonly #families = new Map<string, CommandInstruments>();

  constructor(registry: Registry, clock: Clock) {
    this.#registry = registry;
    this.#clock = clock;
    this.#global = {
      ...registry.family("mq", items, "global."),
      ...registry.family("mq", globalItems, "global."),
    };
  }

  /** Replaces the depths of all commands together by the queue's own figures. */
  observe(queue: MeasuredQueue): void {
    this.#registry.observe("mq", "global.depth", () => queue.depth);
    this.#registry.observe("mq", "global.awaiting-retry", () => queue.awaitingRetry);
  }

  /** Adds the figures of a log that other stores follow too. */
  observeLog(log: () => FollowedFigures | undefined): void {
    const gauge = (name: string, read: (figures: FollowedFigures) => number | undefined): void =>
      this.#registry.gauge("mq", `log.${name}`, () => {
        const figures = log();
        return (figures && read(figures)) ?? "";
      });
    gauge("position", ({ position }) => position);
    gauge("behind", ({ position, head }) => head - position);
    gauge("behind-seconds", ({ behindSeconds }) => behindSeconds);
    gauge("silent-seconds", ({ silentSeconds }) => silentSeconds);
    gauge("differing-servers", ({ comparison }) => comparison?.different.length);
  }

  /** A command that waits here, and was received by another process or an earlier one. */
  loaded(entry: QueueEntry): void {
    this.#each(entry, ({ depth }) => depth.add());
  }

  /** Counts a client that waits to write to the queue (+1), or does not wait any more (-1). */
  waitsToWrite(change: 1 | -1): void {
    this.#global["concurrent-depth"].add(change);
  }

  /** Call with every event of the queue. */
  record(event: CommandEvent): void {
    switch (event.kind) {
      case "received":
        return this.#each(event.entry, (to) => {
          if (event.isElsewhere !== true) to.depth.add();
          to.size.update(event.entry.size);
          to["message-persistence-time"].update(event.ms);
        });
      case "read":
        return this.loaded(event.entry);
      case "superseded":
        return this.#each(event.entry, (to) => {
          to.invalidated.add();
          to.ignored.add();
        });
      case "obsolete":
        return this.#each(event.entry, (to) => {
          to.depth.add(-1);
          to.invalidated.add(-1);
        });
      case "processed":
        this.#attempted(event.entry, event.entry.faults.length);
        return this.#each(event.entry, (to) => {
          to.processed.mark();
          to["processing-time"].update(event.ms);
          to.depth.add(-1);
        });
      case "postponed":
        // The faults of the entry include the attempt that has just failed.
        this.#attempted(event.entry, event.entry.faults.length - 1);
        return this.#each(event.entry, (to) => {
          to.retried.mark();
          to["awaiting-retry"].add();
        });
      case "checksum":
        return this.#global["checksum-mismatches"].add();
      case "discarded":
        return this.#discarded(event.entry, event.error);
      default:
        // Other events are only logged.
        return undefined;
    }
  }

  /** Invalid commands were not attempted at all; the others have failed for the last time. */
  #discarded(entry: QueueEntry, error: Error): void {
    const isFatal = error instanceof CensusError && error.code === "bad-input";
    if (isFatal) this.#resumed(entry, entry.faults.length);
    else this.#attempted(entry, entry.faults.length);
    this.#each(entry, (to) => {
      (isFatal ? to.fatal : to.retried).mark();
      to.discarded.mark();
      to.depth.add(-1);
    });
  }

  #attempted(entry: QueueEntry, earlier: number): void {
    this.#resumed(entry, earlier);
    const seconds = Math.max(0, Math.floor(Number(this.#clock.now() - entry.received) / 1e6));
    this.#each(entry, (to) => {
      to.seen.mark();
      to["queue-time"].update(seconds);
      to["retry-counts"].update(earlier);
    });
  }

  /** The time since the last attempt was spent waiting for this one. */
  #resumed(entry: QueueEntry, earlier: number): void {
    if (earlier > 0) this.#each(entry, (to) => to["awaiting-retry"].add(-1));
  }

  #each(entry: Counted, update: (to: CommandInstruments) => void): void {
    update(this.#global);
    update(this.#familyOf(entry));
  }

  /** Versions that do not exist are counted as one, because a family is never removed while the process runs. */
  #familyOf({ command, version }: Counted): CommandInstruments {
    const isKnown = isCommandName(command) && isProcessed(command, version);
    const prefix = `${isKnown ? command : "unknown"}.${isKnown ? version : "unknown"}.`;
    const known = this.#families.get(prefix);
    if (known !== undefined) return known;
    const made = this.#registry.family("mq", items, prefix);
    this.#families.set(prefix, made);
    return made;
  }
}

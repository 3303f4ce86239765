import { CensusError, messageOf } from "#storage/errors.ts";
import type { CommandEvent, CommandListener } from "#storage/queue/events.ts";
import { isOfDisk } from "#storage/remedy.ts";
import type { log as processLog } from "./log.ts";

/** Logs the processing of commands for operators: failed commands and a halted queue. */
export function logCommands(log: typeof processLog): CommandListener {
  return (event) => {
    switch (event.kind) {
      case "discarded":
        report(log, `${nameOf(event)} could not be stored and was ${placeOf(event.place)}`, event.error);
        break;
      case "postponed":
        report(log, `${nameOf(event)} failed; next try at ${new Date(event.at).toISOString()}`, event.error);
        break;
      case "stalled":
        // Errors of the disk are one line when they begin, and one when they end.
        if (!isOfDisk(event.error))
          log.warn(`commands cannot be stored; next try in ${event.seconds} s: ${messageOf(event.error)}`);
        break;
      case "rewound":
        log.warn(`a disk error lost the latest writes; ${event.commands} commands are being stored again`);
        break;
      case "checksum":
        log.warn(`${nameOf(event)} has a checksum that does not match its payload; it is stored anyway`);
        break;
      default:
    }
  };
}

function nameOf({ entry }: Extract<CommandEvent, { entry: unknown }>): string {
  return `${entry.command} of ${entry.certname}`;
}

function placeOf(place: string | undefined): string {
  return place === undefined ? "discarded, because this store is in memory" : `set aside as dead letter ${place}`;
}

function report(log: typeof processLog, what: string, error: Error): void {
  if (error instanceof CensusError) log.warn(`${what}: ${error.logged ?? error.message}`);
  else log.fault(what, withoutValues(error));
}

/** Cuts an engine error at its first quote: it may quote values, which only the dead letter may contain. */
function withoutValues(error: Error): Error {
  const [line = ""] = messageOf(error).split("\n");
  const logged = new Error(line.replace(/["'`].*$/s, "…"));
  if (error.stack !== undefined) logged.stack = error.stack;
  return logged;
}

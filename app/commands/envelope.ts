import { inSetOrder } from "#storage/hash/tag-order.ts";
import type { Submission } from "#storage/ingest/submission.ts";
import type { Json } from "#storage/json.ts";
import { commandNames, commands, isCommandName } from "#storage/wire/commands.ts";
import { parseWireTime } from "#storage/wire/time.ts";
import { clojureText } from "#storage/query/ast/clojure.ts";
import type { CommandParameters } from "./parameters.ts";

/** A command without its payload. */
export interface Envelope extends Pick<
  Submission,
  "command" | "version" | "certname" | "producerTimestamp" | "checksum"
> {
  /** Seconds to wait for the command to be processed; 0 = not at all. */
  readonly wait: number;
}

/** The values of a command other than its payload. */
const KNOWN: ReadonlySet<string> = new Set([
  "command",
  "version",
  "certname",
  "producer-timestamp",
  "checksum",
  "secondsToWaitForCompletion",
]);

/**
 * Checks a command's parameters in PuppetDB's order and with its texts (`reference/commands.md §1.4`).
 * @returns the envelope, or the message of the refusal
 */
export function readEnvelope(parameters: CommandParameters, problem?: string): Envelope | { readonly error: string } {
  const { command, certname, version } = parameters;
  const invalid = (sentence: string): { error: string } => ({
    error: `Command ${clojureText(command)} for certname ${clojureText(certname)} is invalid. ${sentence}`,
  });
  if (problem !== undefined) return invalid(problem);
  if (certname === undefined) return invalid("Command is missing required parameters: certname.");
  const strange = inSetOrder(Object.keys(parameters).filter((name) => !KNOWN.has(name)));
  if (strange.length > 0) return invalid(`Command has invalid parameters: ${strange.join(", ")}.`);
  if (typeof certname !== "string" || certname.trim() === "") return invalid("Certname must be a non-empty string.");
  if (typeof command !== "string" || !isCommandName(command)) {
    return invalid(`Command must be one of: ${commandNames.join(", ")}.`);
  }
  if (typeof version !== "number" || !Number.isInteger(version)) return invalid("Version must be a valid integer.");
  const minimum = commands[command].minimumOverHttp;
  if (version < minimum) {
    const retired = `Version ${version} of command ${clojureText(command)} is retired.`;
    return invalid(`${retired} The minimum supported version is ${minimum}.`);
  }
  const wait = readWait(parameters["secondsToWaitForCompletion"]);
  if (wait === undefined) return invalid("secondsToWaitForCompletion must be a number of seconds.");
  return { command, version, certname, wait, ...readOthers(parameters) };
}

/** PuppetDB fails with a 500 if this is not a number. */
function readWait(given: Json | undefined): number | undefined {
  if (given === undefined) return 0;
  const seconds = typeof given === "string" && given.trim() !== "" ? Number(given) : given;
  return typeof seconds === "number" && Number.isFinite(seconds) ? Math.max(0, seconds) : undefined;
}

/** Invalid times and checksums count as missing. */
function readOthers(parameters: CommandParameters): Pick<Envelope, "producerTimestamp" | "checksum"> {
  const { "producer-timestamp": time, checksum } = parameters;
  const producerTimestamp = typeof time === "string" ? parseWireTime(time) : undefined;
  return {
    ...(producerTimestamp === undefined ? {} : { producerTimestamp }),
    ...(typeof checksum === "string" ? { checksum } : {}),
  };
}

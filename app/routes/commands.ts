import type { H3Event } from "h3";
import { randomUUID } from "node:crypto";
import { CensusError } from "#storage/errors.ts";
import { commandNames, commands, isCommandName } from "#storage/wire/commands.ts";
import type { Submission } from "#storage/ingest/prepare.ts";
import type { Store } from "#storage/store.ts";
import { prettyAnswer, textAnswer } from "../http/answers.ts";
import { refuseMedia } from "../http/negotiation.ts";
import { nodeRequest, rawTarget, readBody } from "../http/request.ts";
import { formPairs } from "../query/form-pairs.ts";

/** Bytes of a command after decompression; larger ones are refused rather than exhausting the memory. */
const LARGEST_COMMAND = 512 * 1024 * 1024;

const known: ReadonlySet<string> = new Set([
  "command",
  "version",
  "certname",
  "producer-timestamp",
  "checksum",
  "secondsToWaitForCompletion",
]);

/** `POST /pdb/cmd/v1` in its preferred form (`reference/commands.md §1`). */
export async function answerCommand(store: Store, event: H3Event): Promise<Response> {
  const { path, search } = rawTarget(event);
  const request = nodeRequest(event);
  const encoding = request.headers["content-encoding"] ?? "identity";
  if (!["", "gzip", "identity"].includes(encoding)) {
    return textAnswer(`content encoding ${encoding} not supported`, 415);
  }
  const refusal = refuseMedia(request, path);
  if (refusal !== undefined) return refusal;
  const checked = readEnvelope(formPairs(search));
  if ("error" in checked) return prettyAnswer(checked, 400);
  const submission: Submission = {
    ...checked,
    payload: await readBody(event, LARGEST_COMMAND),
    received: store.clock.now(),
  };
  const uuid = randomUUID();
  return answerSubmission(store, submission, uuid, checked.wait);
}

/**
 * Without a wait the answer says that the command is taken; with one, what became of it, as far as the time allows
 * (`reference/commands.md §1.6`).
 */
async function answerSubmission(store: Store, submission: Submission, uuid: string, wait: number): Promise<Response> {
  const stored = store.submit(submission);
  if (wait <= 0) {
    // What fails later is the log's affair; the client was told that the command was taken.
    stored.catch((error: unknown) => store.reportFault(submission, error));
    return prettyAnswer({ uuid });
  }
  const timer = Promise.withResolvers<"late">();
  const timeout = setTimeout(() => timer.resolve("late"), Math.min(wait * 1000, 2 ** 31 - 1));
  try {
    const outcome = await Promise.race([stored, timer.promise]);
    if (outcome !== "late") return prettyAnswer({ uuid, processed: true, timed_out: false });
    stored.catch((error: unknown) => store.reportFault(submission, error));
    return prettyAnswer({ uuid, processed: false, timed_out: true }, 503);
  } catch (error) {
    store.reportFault(submission, error);
    if (!(error instanceof CensusError)) throw error;
    return prettyAnswer({ uuid, processed: true, timed_out: false, error: error.message }, 503);
  } finally {
    clearTimeout(timeout);
  }
}

interface Envelope extends Pick<Submission, "command" | "version" | "certname"> {
  /** Seconds to wait for the command to be processed. */
  wait: number;
}

/** The parameters of a command, checked in the peer's order and with its texts (`reference/commands.md §1.4`). */
function readEnvelope(pairs: readonly (readonly [string, string])[]): Envelope | { error: string } {
  const given = new Map(pairs);
  const command = given.get("command")?.replaceAll("_", " ");
  const certname = given.get("certname");
  const invalid = (...sentences: string[]): { error: string } => ({
    error: `Command ${shown(command)} for certname ${shown(certname)} is invalid. ${sentences.join(" ")}`,
  });
  if (command === undefined) {
    return invalid(
      "Command was submitted without query parameters (old format). The request body must be a JSON map with required keys: command, version, payload.",
    );
  }
  if (certname === undefined) return invalid("Command is missing required parameters: certname.");
  const strange = [...given.keys()].filter((name) => !known.has(name));
  if (strange.length > 0) return invalid(`Command has invalid parameters: ${strange.join(", ")}.`);
  if (certname.trim() === "") return invalid("Certname must be a non-empty string.");
  if (!isCommandName(command)) return invalid(`Command must be one of: ${commandNames.join(", ")}.`);
  const text = given.get("version") ?? "";
  const version = Number(text);
  if (!/^[+-]?\d+$/.test(text) || Math.abs(version) >= 2 ** 31) return invalid("Version must be a valid integer.");
  const minimum = commands[command].minimumOverHttp;
  if (version < minimum) {
    return invalid(
      `Version ${version} of command ${shown(command)} is retired. The minimum supported version is ${minimum}.`,
    );
  }
  return { command, version, certname, wait: Number(given.get("secondsToWaitForCompletion") ?? 0) || 0 };
}

function shown(text: string | undefined): string {
  return text === undefined ? "nil" : JSON.stringify(text);
}

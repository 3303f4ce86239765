import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { stringifyJson } from "#storage/json.ts";
import type { Accepted } from "#storage/queue/processing.ts";
import type { Submission } from "#storage/ingest/submission.ts";
import type { Store } from "#storage/store.ts";
import { boundSettings, BoundsError, type CommandBounds, isNestedDeeper } from "#storage/wire/bounds.ts";
import { checksumProblem } from "../commands/checksum.ts";
import { type Envelope, readEnvelope } from "../commands/envelope.ts";
import { queryParameters, readOldForm } from "../commands/parameters.ts";
import type { CommandSettings } from "../commands/settings.ts";
import { declaredSize, largestBody } from "../commands/size.ts";
import { type Answer, inPrettyJson, inText, nowhere } from "../http/answer.ts";
import { refuseMedia } from "../http/negotiation.ts";
import { letGo, readBytes, targetOf } from "../http/request.ts";
import { formPairs } from "../query/form-pairs.ts";

/** Where commands go; below it and beside it nothing is, but that is found out last (`reference/commands.md §1.2`). */
export const commandPath = "/pdb/cmd/v1";

/** `POST /pdb/cmd/v1` in both its forms; any method will do, as in the peer. */
export async function answerCommand(
  store: Store,
  settings: CommandSettings,
  request: IncomingMessage,
): Promise<Answer> {
  const { path, search } = targetOf(request);
  const refusal = refuseRequest(request, path, settings);
  if (refusal !== undefined) return refusal;
  const pairs = formPairs(search);
  const isOldForm = !pairs.some(([name]) => name === "command");
  const received = await (isOldForm ? readOldCommand : readCommand)(request, pairs, settings, store.bounds);
  if (!("envelope" in received)) return received;
  if (path !== commandPath) return nowhere();
  const { wait, ...envelope } = received.envelope;
  const submission: Submission = { ...envelope, ...received.content, received: store.clock.now() };
  const exceeded = await exceededBound(store, submission);
  if (exceeded !== undefined) return exceeded;
  const problem = settings.verifyChecksum ? checksumProblem(submission) : undefined;
  if (problem !== undefined) return inPrettyJson({ error: problem }, 400);
  const accepted = await store.accept(submission, wait > 0);
  if (accepted.isPayloadFree && Buffer.isBuffer(submission.payload)) letGo(submission.payload);
  const uuid = randomUUID();
  return wait > 0 ? answerWaiting(accepted, uuid, wait) : inPrettyJson({ uuid });
}

/** What is wrong with a request before its parameters are looked at. */
function refuseRequest(request: IncomingMessage, path: string, settings: CommandSettings): Answer | undefined {
  if (request.method === "POST") {
    const size = declaredSize(request);
    if (settings.rejectLargeCommands && size !== undefined && size > settings.maxCommandSize) {
      // What is left of the body is let go, so that the client gets to read the answer.
      request.resume();
      return inText("Command rejected due to size exceeding max-command-size", 413);
    }
    const encoding = request.headers["content-encoding"] ?? "";
    if (!["", "gzip", "identity"].includes(encoding)) {
      return inText(`content encoding ${encoding} not supported`, 415);
    }
  }
  return refuseMedia(request, path);
}

type Received = { readonly envelope: Envelope; readonly content: Pick<Submission, "payload" | "encoding"> } | Answer;

/** @param largest bytes that the body may have, by the settings of the peer's name */
function tooLarge(largest: number, bounds: CommandBounds): Answer {
  const setting = bounds.unpackedBytes < largest ? boundSettings.unpackedBytes : "max-command-size";
  return inText(`Command size exceeds ${setting}`, 413);
}

async function readCommand(
  request: IncomingMessage,
  pairs: ReturnType<typeof formPairs>,
  settings: CommandSettings,
  bounds: CommandBounds,
): Promise<Received> {
  const envelope = readEnvelope(queryParameters(pairs));
  if ("error" in envelope) return inPrettyJson(envelope, 400);
  const largest = largestBody(settings);
  const payload = await readBytes(request, Math.min(largest, bounds.unpackedBytes));
  if (payload === undefined) return tooLarge(largest, bounds);
  const isPacked = request.headers["content-encoding"] === "gzip";
  return { envelope, content: { payload, ...(isPacked ? { encoding: "gzip" } : {}) } };
}

/** The deprecated form: its payload is written anew, and counted in characters of two bytes. */
async function readOldCommand(
  request: IncomingMessage,
  _pairs: ReturnType<typeof formPairs>,
  settings: CommandSettings,
  bounds: CommandBounds,
): Promise<Received> {
  const largest = largestBody({ ...settings, rejectLargeCommands: false });
  const body = await readBytes(request, Math.min(largest, bounds.unpackedBytes));
  if (body === undefined) return tooLarge(largest, bounds);
  // The payload is a level deeper here.
  if (isNestedDeeper(body, bounds.depth + 1)) {
    return inText(`Command is nested deeper than ${bounds.depth} levels (${boundSettings.depth})`, 400);
  }
  const { parameters, payload, problem } = readOldForm(Buffer.from(body).toString("utf8"));
  const envelope = readEnvelope(parameters, problem);
  if ("error" in envelope) return inPrettyJson(envelope, 400);
  const text = stringifyJson(payload ?? null);
  const largestText = largestBody(settings);
  if (text.length * 2 > largestText) return tooLarge(largestText, { ...bounds, unpackedBytes: largestText });
  return { envelope, content: { payload: text } };
}

/** The refusal of a command that exceeds a bound; most need not be looked into for that. */
async function exceededBound(store: Store, submission: Submission): Promise<Answer | undefined> {
  const checking = store.checkBounds(submission);
  if (checking === undefined) return undefined;
  try {
    await checking;
    return undefined;
  } catch (error) {
    if (!(error instanceof BoundsError)) throw error;
    return inText(error.message, error.bound === "depth" ? 400 : 413);
  }
}

/**
 * What became of the command when it was first tried, as far as the time allows (`reference/commands.md §1.6`). Of a
 * command that can never be stored the peer tells nothing until the time is up; the answer is the same here, at once.
 */
async function answerWaiting({ processed }: Accepted, uuid: string, wait: number): Promise<Answer> {
  const timer = Promise.withResolvers<undefined>();
  const timeout = setTimeout(() => timer.resolve(undefined), Math.min(wait * 1000, 2 ** 31 - 1));
  const processing = await Promise.race([processed, timer.promise]);
  clearTimeout(timeout);
  switch (processing?.kind) {
    case "done":
      return inPrettyJson({ uuid, processed: true, timed_out: false });
    case "failed":
      return inPrettyJson(
        { uuid, processed: true, timed_out: false, error: processing.error.message, stack_trace: [] },
        503,
      );
    case "refused":
    case undefined:
      return inPrettyJson({ uuid, processed: false, timed_out: true }, 503);
  }
}

import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { stringifyJson } from "#storage/json.ts";
import type { Accepted } from "#storage/ingest/processor.ts";
import type { Submission } from "#storage/ingest/submission.ts";
import type { Store } from "#storage/store.ts";
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
  const received = await (isOldForm ? readOldCommand : readCommand)(request, pairs, settings);
  if (!("envelope" in received)) return received;
  if (path !== commandPath) return nowhere();
  const { wait, ...envelope } = received.envelope;
  const submission: Submission = { ...envelope, ...received.content, received: store.clock.now() };
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

const tooLarge = (): Answer => inText("Command size exceeds max-command-size", 413);

async function readCommand(
  request: IncomingMessage,
  pairs: ReturnType<typeof formPairs>,
  settings: CommandSettings,
): Promise<Received> {
  const envelope = readEnvelope(queryParameters(pairs));
  if ("error" in envelope) return inPrettyJson(envelope, 400);
  const payload = await readBytes(request, largestBody(settings));
  if (payload === undefined) return tooLarge();
  const isPacked = request.headers["content-encoding"] === "gzip";
  return { envelope, content: { payload, ...(isPacked ? { encoding: "gzip" } : {}) } };
}

/** The deprecated form: its payload is written anew, and counted in characters of two bytes. */
async function readOldCommand(
  request: IncomingMessage,
  _pairs: ReturnType<typeof formPairs>,
  settings: CommandSettings,
): Promise<Received> {
  const body = await readBytes(request, largestBody({ ...settings, rejectLargeCommands: false }));
  if (body === undefined) return tooLarge();
  const { parameters, payload, problem } = readOldForm(Buffer.from(body).toString("utf8"));
  const envelope = readEnvelope(parameters, problem);
  if ("error" in envelope) return inPrettyJson(envelope, 400);
  const text = stringifyJson(payload ?? null);
  if (text.length * 2 > largestBody(settings)) return tooLarge();
  return { envelope, content: { payload: text } };
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

import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { stringifyJson } from "#storage/json.ts";
import type { Accepted } from "#storage/queue/processing.ts";
import type { Submission } from "#storage/ingest/submission.ts";
import type { Store } from "#storage/store.ts";
import { boundSettings, BoundsError, boundsOfAccepted, type CommandBounds } from "#storage/wire/bounds.ts";
import { scan } from "#storage/wire/scan.ts";
import { checksumProblem } from "../commands/checksum.ts";
import { type Envelope, readEnvelope } from "../commands/envelope.ts";
import { commandOperation } from "../commands/operation.ts";
import { queryParameters, readOldForm } from "../commands/parameters.ts";
import type { CommandSettings } from "../commands/settings.ts";
import { declaredSize, largestBody } from "../commands/size.ts";
import { mediaRefusal } from "../http/negotiation.ts";
import { freeBuffer, type HttpRequest, readBytes } from "../http/request.ts";
import { type HttpResponse, notFound, prettyJsonResponse, textResponse } from "../http/response.ts";
import type { RouteTable } from "../http/route.ts";
import { withPosition } from "../query/log-position.ts";
import { formPairs } from "../query/form-pairs.ts";

/** What commands are accepted with. */
export interface CommandServices {
  readonly store: Store;
  readonly commands: CommandSettings;
}

const PATH = "/pdb/cmd/v1";

/** `POST /pdb/cmd/v1`, and any other method, as in PuppetDB. */
export const commandRoutes: RouteTable<CommandServices> = {
  routes: [
    {
      path: PATH,
      methods: "any",
      family: "command",
      metered: PATH,
      describe: () => ({ post: commandOperation() }),
      handle: handleCommand,
    },
  ],
  // PuppetDB checks a command before it looks at the path (`reference/commands.md §1.2`).
  fallbacks: [{ below: "/pdb/cmd", methods: "any", family: "command", metered: "/pdb/cmd", handle: handleCommand }],
};

/** Checks a command in both of its forms and adds it to the queue. */
async function handleCommand(
  { store, commands: settings }: CommandServices,
  request: HttpRequest,
): Promise<HttpResponse> {
  const { message, path, search } = request;
  const refusal = requestRefusal(request, settings);
  if (refusal !== undefined) return refusal;
  const pairs = formPairs(search);
  const isOldForm = !pairs.some(([name]) => name === "command");
  const received = await (isOldForm ? readOldCommand : readCommand)(message, pairs, settings, store.bounds);
  if (!("envelope" in received)) return received;
  if (path !== PATH) return notFound();
  const { wait, ...envelope } = received.envelope;
  const submission = await scanned(store, { ...envelope, ...received.content, received: store.clock.now() });
  if ("status" in submission) return submission;
  const problem = settings.verifyChecksum ? checksumProblem(submission) : undefined;
  if (problem !== undefined) return prettyJsonResponse({ error: problem }, 400);
  const accepted = await store.accept(submission, wait > 0);
  if (accepted.isPayloadFree && Buffer.isBuffer(submission.payload)) freeBuffer(submission.payload);
  const uuid = randomUUID();
  const response = wait > 0 ? await completion(accepted, uuid, wait) : prettyJsonResponse({ uuid });
  return withPosition(store, response, accepted.id);
}

/** The response to a request that is refused before its parameters are read. */
function requestRefusal({ message, path }: HttpRequest, settings: CommandSettings): HttpResponse | undefined {
  if (message.method === "POST") {
    if (settings.refusedBecause !== undefined) {
      message.resume();
      return prettyJsonResponse({ error: settings.refusedBecause }, 409);
    }
    const size = declaredSize(message);
    if (settings.rejectLargeCommands && size !== undefined && size > settings.maxCommandSize) {
      // The client reads the response only after it has sent its body.
      message.resume();
      return textResponse("Command rejected due to size exceeding max-command-size", 413);
    }
    const encoding = message.headers["content-encoding"] ?? "";
    if (!["", "gzip", "identity"].includes(encoding)) {
      return textResponse(`content encoding ${encoding} not supported`, 415);
    }
  }
  return mediaRefusal(message, path);
}

type Received =
  | { readonly envelope: Envelope; readonly content: Pick<Submission, "payload" | "encoding"> }
  | HttpResponse;

/** @param largest bytes that the body may have by PuppetDB's settings */
function tooLarge(largest: number, bounds: CommandBounds): HttpResponse {
  const setting = bounds.unpackedBytes < largest ? boundSettings.unpackedBytes : "max-command-size";
  return textResponse(`Command size exceeds ${setting}`, 413);
}

async function readCommand(
  request: IncomingMessage,
  pairs: ReturnType<typeof formPairs>,
  settings: CommandSettings,
  bounds: CommandBounds,
): Promise<Received> {
  const envelope = readEnvelope(queryParameters(pairs));
  if ("error" in envelope) return prettyJsonResponse(envelope, 400);
  const largest = largestBody(settings);
  const payload = await readBytes(request, Math.min(largest, bounds.unpackedBytes));
  if (payload === undefined) return tooLarge(largest, bounds);
  const isPacked = request.headers["content-encoding"] === "gzip";
  return { envelope, content: { payload, ...(isPacked ? { encoding: "gzip" } : {}) } };
}

/** A body whose command is not known before it is parsed. */
const OLD_FORM = { command: "store report", version: 0, certname: "" } as const;

/** The deprecated form: its payload is serialized again, and counted in characters of two bytes. */
async function readOldCommand(
  request: IncomingMessage,
  _pairs: ReturnType<typeof formPairs>,
  settings: CommandSettings,
  bounds: CommandBounds,
): Promise<Received> {
  const largest = largestBody({ ...settings, rejectLargeCommands: false });
  const body = await readBytes(request, Math.min(largest, bounds.unpackedBytes));
  if (body === undefined) return tooLarge(largest, bounds);
  // In this form the payload is one level deeper.
  try {
    scan(OLD_FORM, body, { ...boundsOfAccepted, depth: bounds.depth + 1 });
  } catch (error) {
    if (!(error instanceof BoundsError)) throw error;
    return textResponse(`Command is nested deeper than ${bounds.depth} levels (${boundSettings.depth})`, 400);
  }
  const { parameters, payload, problem } = readOldForm(Buffer.from(body).toString("utf8"));
  const envelope = readEnvelope(parameters, problem);
  if ("error" in envelope) return prettyJsonResponse(envelope, 400);
  const text = stringifyJson(payload ?? null);
  const largestText = largestBody(settings);
  if (text.length * 2 > largestText) return tooLarge(largestText, { ...bounds, unpackedBytes: largestText });
  return { envelope, content: { payload: text } };
}

/** A command that was scanned, or the response to one that exceeds a bound. */
async function scanned(store: Store, submission: Submission): Promise<Submission | HttpResponse> {
  try {
    return await store.scan(submission);
  } catch (error) {
    if (!(error instanceof BoundsError)) throw error;
    return textResponse(error.message, error.bound === "depth" ? 400 : 413);
  }
}

/**
 * Waits for the first attempt to store a command (`reference/commands.md §1.6`). For a command that can never be stored
 * PuppetDB waits until the time is up; the response is the same here, at once.
 */
async function completion({ processed }: Accepted, uuid: string, wait: number): Promise<HttpResponse> {
  const timer = Promise.withResolvers<undefined>();
  const timeout = setTimeout(() => timer.resolve(undefined), Math.min(wait * 1000, 2 ** 31 - 1));
  const processing = await Promise.race([processed, timer.promise]);
  clearTimeout(timeout);
  switch (processing?.kind) {
    case "done":
      return prettyJsonResponse({ uuid, processed: true, timed_out: false });
    case "failed":
      return prettyJsonResponse(
        { uuid, processed: true, timed_out: false, error: processing.error.message, stack_trace: [] },
        503,
      );
    case "refused":
    case undefined:
      return prettyJsonResponse({ uuid, processed: false, timed_out: true }, 503);
  }
}

import { payloadBytes, type Submission } from "../ingest/submission.ts";
import { unpackedSize } from "../ingest/unpacked-size.ts";
import { batchLimits } from "../memory/budget.ts";
import type { NewCommand, NewEntry } from "./entry.ts";

/** What is appended to the log for a command that was submitted. */
export function newCommand(submission: Submission): NewCommand {
  const { payload: _, content: __, ...envelope } = submission;
  const entry = { ...envelope, ...unpackedSizeOf(submission), faults: [] };
  return { entry, payload: payloadBytes(submission) };
}

export async function* newCommands(submissions: AsyncIterable<Submission>): AsyncGenerator<NewCommand, void> {
  for await (const submission of submissions) yield newCommand(submission);
}

/** The unpacked size of a packed command; where it is unknown, a full batch, so that the command is alone in its batch. */
function unpackedSizeOf(submission: Submission): Pick<NewEntry, "unpackedSize"> {
  if (submission.encoding === undefined) return {};
  return { unpackedSize: unpackedSize(submission) ?? batchLimits.bytes };
}

import type { Submission } from "#storage/ingest/submission.ts";
import { parseTimestamp } from "#storage/time.ts";
import { isCommandName } from "#storage/wire/commands.ts";
import type { WireCommand } from "./posting.ts";

/** A command for a store in this process, in place of a request. */
export function submissionOf({ target, body }: WireCommand, received: bigint): Submission {
  const { searchParams } = new URL(target, "http://census");
  const command = (searchParams.get("command") ?? "").replaceAll("_", " ");
  if (!isCommandName(command)) throw new Error(`${command} is no command`);
  const producerTimestamp = parseTimestamp(searchParams.get("producer-timestamp") ?? "");
  return {
    command,
    version: Number(searchParams.get("version")),
    certname: searchParams.get("certname") ?? "",
    ...(producerTimestamp === undefined ? {} : { producerTimestamp }),
    payload: body.toString(),
    received,
  };
}

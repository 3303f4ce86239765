import { shortFailure } from "#storage/display/short-failure.ts";

/**
 * The message of an issue for lists: without what all messages of its kind say, so that what is particular comes first. The
 * page of the issue has the whole message.
 */
export function shortMessage(message: string): string {
  const short = shortFailure(message, { certname: "<node>" });
  return short === "" ? message : short;
}

import type { IncomingMessage } from "node:http";
import { type CommandSettings, LARGEST_COMMAND } from "./settings.ts";

/** The unpacked size of a command in bytes: the size that the client declares, else the body's length. */
export function declaredSize({ headers }: IncomingMessage): number | undefined {
  return wholeNumber(headers["x-uncompressed-length"]) ?? wholeNumber(headers["content-length"]);
}

function wholeNumber(text: string | string[] | undefined): number | undefined {
  return typeof text === "string" && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

/** Bytes that a body may have. */
export function largestBody(settings: CommandSettings): number {
  const { rejectLargeCommands, maxCommandSize, bodyMaxSize = LARGEST_COMMAND } = settings;
  return Math.min(bodyMaxSize, LARGEST_COMMAND, rejectLargeCommands ? maxCommandSize : LARGEST_COMMAND);
}

import { type RunOptions, startServer } from "#test/cli/census.ts";
import type { Running } from "#test/running.ts";
import { SHARED_SERVERS, type ShownStore } from "./shared-servers.ts";

/** The address of a server that the test files of a run share; it is started when it is first needed. */
export async function serverOf(shown: ShownStore): Promise<string> {
  const response = await fetch(`${process.env[SHARED_SERVERS] ?? ""}/${shown}`);
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  return text;
}

/** Starts `census open` on a free port. */
export async function openArchive(path: string, options: RunOptions = {}): Promise<Running> {
  return startServer(["open", path, "--port", "0", "--no-browser"], options);
}

/** Starts `census serve` on a free port. */
export async function serveFolder(data: string, ...words: readonly string[]): Promise<Running> {
  return startServer(["serve", "--data", data, "--port", "0", ...words]);
}

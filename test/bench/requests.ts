import { closeSync, mkdirSync, openSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { PopulationCommand } from "#test/conformance/population.ts";
import { linesOf } from "./lines.ts";
import type { WireCommand } from "./posting.ts";

/** The request in which the compilers of a fleet send a command (`reference/commands.md §1`). */
export function requestOf({ command, version, certname, producerTimestamp, payload }: PopulationCommand): WireCommand {
  const parameters = new URLSearchParams({ certname, command, version });
  if (producerTimestamp !== undefined) parameters.set("producer-timestamp", producerTimestamp);
  return { target: `/pdb/cmd/v1?${parameters.toString()}`, body: Buffer.from(payload) };
}

/** Writes requests to a file, for the process that is to send them. */
export function writeRequests(file: string, commands: readonly PopulationCommand[]): void {
  mkdirSync(dirname(file), { recursive: true });
  const descriptor = openSync(file, "w");
  try {
    for (const command of commands) {
      const { target, body } = requestOf(command);
      writeFileSync(descriptor, `${JSON.stringify([target, body.toString()])}\n`);
    }
  } finally {
    closeSync(descriptor);
  }
}

/** The requests of such a file. */
export async function readRequests(file: string): Promise<WireCommand[]> {
  const requests: WireCommand[] = [];
  for await (const line of linesOf(file)) {
    const [target, body] = JSON.parse(line) as [string, string];
    requests.push({ target, body: Buffer.from(body) });
  }
  return requests;
}

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { PopulationCommand } from "#test/conformance/population.ts";
import type { WireCommand } from "./posting.ts";

/** The request in which the compilers of a fleet send a command (`reference/commands.md §1`). */
export function requestOf({ command, version, certname, producerTimestamp, payload }: PopulationCommand): WireCommand {
  const parameters = new URLSearchParams({ certname, command, version });
  if (producerTimestamp !== undefined) parameters.set("producer-timestamp", producerTimestamp);
  return { target: `/pdb/cmd/v1?${parameters.toString()}`, body: Buffer.from(payload) };
}

/** Writes requests to a file, for the process that is to send them. */
export function writeRequests(file: string, commands: readonly PopulationCommand[]): void {
  const lines = commands.map((command) => {
    const { target, body } = requestOf(command);
    return `${JSON.stringify([target, body.toString()])}\n`;
  });
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, lines.join(""));
}

/** The requests of such a file. */
export function readRequests(file: string): WireCommand[] {
  return readFileSync(file, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => {
      const [target, body] = JSON.parse(line) as [string, string];
      return { target, body: Buffer.from(body) };
    });
}

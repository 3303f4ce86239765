import { CensusError, messageOf } from "#storage/errors.ts";
import type { Answer } from "./recording.ts";
import type { Client } from "./request.ts";

/** One command of a recorded population. The payload is text, so that no digit of a number is lost. */
export interface PopulationCommand {
  readonly command: string;
  readonly version: string;
  readonly certname: string;
  readonly producerTimestamp?: string;
  readonly payload: string;
}

const COMMAND_LINE =
  /^\{\s*"command":\s*("(?:[^"\\]|\\.)*"),\s*"version":\s*(\d+),\s*"certname":\s*("(?:[^"\\]|\\.)*"),\s*(?:"producer_timestamp":\s*"[^"]*",\s*)?"payload":\s*(.*)\}\s*$/s;
const PRODUCER_TIMESTAMP = /"producer[_-]timestamp":\s*"([^"]+)"/;

/**
 * Reads one line of a population file: command, version, certname, payload, in this order.
 * @throws CensusError for any other line
 */
export function parseCommandLine(line: string): PopulationCommand {
  const [, command, version, certname, payload] = COMMAND_LINE.exec(line) ?? [];
  if (command === undefined || version === undefined || certname === undefined || payload === undefined) {
    throw new CensusError("bad-file", `not a command of a population: ${line.slice(0, 120)}`);
  }
  const [, producerTimestamp] = PRODUCER_TIMESTAMP.exec(line) ?? [];
  return {
    command: (JSON.parse(command) as string).replaceAll(" ", "_"),
    version,
    certname: JSON.parse(certname) as string,
    ...(producerTimestamp === undefined ? {} : { producerTimestamp }),
    payload,
  };
}

/** Certnames whose commands are sent side by side. */
const SIDE_BY_SIDE = 8;

/** Seconds the server may take to process one command. */
const PROCESSED_WITHIN = 30;

/**
 * Sends a population as clients would: the commands of one certname in their order, each once the one before is
 * processed. Returns a line for every command that was refused or not processed.
 */
export async function loadPopulation(client: Client, commands: readonly PopulationCommand[]): Promise<string[]> {
  const queues = Map.groupBy(commands, (command) => command.certname).values();
  const refused: string[] = [];
  const worker = async (): Promise<void> => {
    for (const queue of queues) {
      for (const command of queue) {
        const problem = await submit(client, command).catch(messageOf);
        if (problem !== undefined) {
          refused.push(`${command.command} ${command.version} of ${command.certname}: ${problem}`);
        }
      }
    }
  };
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, worker));
  return refused;
}

async function submit(client: Client, command: PopulationCommand): Promise<string | undefined> {
  const parameters = {
    command: command.command,
    version: command.version,
    certname: command.certname,
    ...(command.producerTimestamp === undefined ? {} : { "producer-timestamp": command.producerTimestamp }),
    secondsToWaitForCompletion: String(PROCESSED_WITHIN),
  };
  const query = Object.entries(parameters).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  const answer = await client.send({
    method: "POST",
    path: `/pdb/cmd/v1?${query.join("&")}`,
    headers: { Accept: "application/json", "Content-Type": "application/json" },
    body: command.payload,
  });
  return isProcessed(answer) ? undefined : `${answer.status} ${answer.text.slice(0, 300)}`;
}

function isProcessed({ status, text }: Answer): boolean {
  return status === 200 && /"processed"\s*:\s*true/.test(text) && !/"error"\s*:/.test(text);
}

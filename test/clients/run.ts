import { spawn } from "node:child_process";
import { once } from "node:events";
import { dirname, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { clientsFolder } from "./tools.ts";

/** What a client came to. */
export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs a program until it ends, at most two minutes. The scripts of the clients' folder call `node`: it is this one.
 * @param program on the path, or with a slash in it
 */
export async function run(
  program: string,
  words: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Outcome> {
  const path = `${dirname(process.execPath)}:${process.env["PATH"] ?? ""}`;
  const child = spawn(program, words, {
    env: { ...process.env, PATH: path, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
    timeout: 120_000,
  });
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  return { code: code as number | null, stdout, stderr };
}

/** Runs one of the scripts that drive real clients. */
export function runScript(
  script: string,
  words: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Outcome> {
  return run(resolve(clientsFolder(), script), words, environment);
}

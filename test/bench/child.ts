import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { CensusError } from "#storage/errors.ts";
import type { Reply } from "./children/job.ts";
import { benchFolder } from "./population.ts";

/** A job in a process of its own, so that memory and warmth are those of the job alone. */
export interface Child<Output> {
  readonly pid: number;
  /** what the job made */
  readonly value: Output;
  /**
   * Sends the job a message.
   * @returns its reply
   * @throws CensusError when it has ended instead
   */
  send<Answer>(message: object): Promise<Answer>;
  /** Lets the process go and waits for its end. */
  close(): Promise<void>;
}

/** @param name a file of `children/`, without its ending */
export async function startChild<Output>(name: string, input: object, profile: boolean): Promise<Child<Output>> {
  const child = fork(join(import.meta.dirname, "children", `${name}.ts`), [JSON.stringify(input)], {
    // Output of a child must not get between the lines of the table.
    stdio: ["ignore", 2, 2, "ipc"],
    execArgv: profile ? ["--cpu-prof", `--cpu-prof-dir=${join(benchFolder, "profiles")}`] : [],
  });
  const ended = once(child, "exit");
  const close = async (): Promise<void> => {
    if (child.connected) child.disconnect();
    await ended;
  };
  const said = async <Value>(): Promise<Value> => {
    const reply = await Promise.race([
      once(child, "message").then(([message]) => message as Reply<Value>),
      ended.then(([code, signal]): Reply<Value> => ({ error: `ended with ${String(signal ?? code)}` })),
    ]);
    if ("value" in reply) return reply.value;
    await close();
    throw new CensusError("bad-file", `the ${name} process: ${reply.error}`);
  };
  const send = async <Answer>(message: object): Promise<Answer> => {
    const answer = said<Answer>();
    child.send(message);
    return answer;
  };
  return { pid: child.pid ?? 0, value: await said<Output>(), send, close };
}

/** Runs a job that leaves nothing running. */
export async function runChild<Output>(name: string, input: object, profile: boolean): Promise<Output> {
  const child = await startChild<Output>(name, input, profile);
  await child.close();
  return child.value;
}

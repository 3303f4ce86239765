import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";

/** An index of nodes with a filter. */
const QUESTION = `/pdb/query/v4/nodes?query=${encodeURIComponent('["=","certname","none"]')}`;

/**
 * Starts the service as the command line does, asks it something and ends it; loads what a fixture and a question on the
 * command line load besides. It is run once, when the executable is made, so that what V8 compiles on the way goes along.
 * @throws Error when there is no answer
 */
export async function rehearse(): Promise<void> {
  await import("#cli/commands/fixture.ts");
  await import("#cli/commands/query.ts");
  await import("#cli/fixture/open.ts");
  const { run } = await import("#cli/run.ts");
  const ready = announced();
  const serving = run(["serve", "--memory", "--port", "0", "--now", "2026-11-20T12:00:00Z"]);
  const url = await Promise.race([ready, serving]);
  if (typeof url === "number") throw new Error(`the service ended with ${url}`);
  const [answer] = (await once(get(url + QUESTION), "response")) as [IncomingMessage];
  await answer.resume().toArray();
  if (answer.statusCode !== 200) throw new Error(`the service answered ${answer.statusCode}`);
  process.emit("SIGTERM");
  await serving;
}

/** Where the service says that it is ready; what it says goes nowhere else. */
async function announced(): Promise<string> {
  return new Promise((resolve) => {
    const write = (text: string, done: () => void): boolean => {
      const [url] = /http:\S+/.exec(text) ?? [];
      if (url !== undefined) resolve(url);
      done();
      return true;
    };
    Object.assign(process.stdout, { write });
  });
}

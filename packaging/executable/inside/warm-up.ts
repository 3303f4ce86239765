import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";

/** A list of nodes with a filter. */
const QUERY = `/pdb/query/v4/nodes?query=${encodeURIComponent('["=","certname","none"]')}`;

/**
 * Starts the service as the command line does, sends a query and stops it. Also loads the code of `census fixture` and
 * `census query`. It runs when the executable is built, to record V8's code cache.
 * @throws Error if the query fails
 */
export async function warmUp(): Promise<void> {
  await import("#cli/commands/fixture.ts");
  await import("#cli/commands/query.ts");
  await import("#cli/fixture/open.ts");
  const { run } = await import("#cli/run.ts");
  const ready = announced();
  const serving = run(["serve", "--memory", "--port", "0", "--now", "2026-11-20T12:00:00Z"]);
  const url = await Promise.race([ready, serving]);
  if (typeof url === "number") throw new Error(`the service ended with ${url}`);
  const [response] = (await once(get(url + QUERY), "response")) as [IncomingMessage];
  await response.resume().toArray();
  if (response.statusCode !== 200) throw new Error(`the service returned ${response.statusCode}`);
  process.emit("SIGTERM");
  await serving;
}

/** The URL that the service announces on stdout, which is captured from now on. */
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

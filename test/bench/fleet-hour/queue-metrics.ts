import { fetchText } from "../http.ts";
import type { LastingConnection } from "./lasting-connection.ts";

/** Unlike the status of the service, these metrics need no statement of the engine. */
const metric = (name: string): string => `/metrics/v2/read/puppetlabs.puppetdb.mq:name=global.${name}`;

/**
 * How many commands are acknowledged and not stored.
 * @throws Error when the server does not report it
 */
export async function queueDepth(connection: LastingConnection): Promise<number> {
  const { body } = await connection.request((wire) => wire.get(metric("depth")));
  return countIn(body.toString());
}

/**
 * How many commands a server has acknowledged since its start and could not store.
 * @param url of the server
 * @throws Error when the server does not report it
 */
export async function discardedCommands(url: string): Promise<number> {
  return countIn(await fetchText(url + metric("discarded")));
}

function countIn(text: string): number {
  const { value } = JSON.parse(text) as { readonly value?: { readonly Count?: number } };
  if (value?.Count === undefined) throw new Error(`no count: ${text.slice(0, 300)}`);
  return value.Count;
}

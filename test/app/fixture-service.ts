import { type ServiceOptions, startService } from "#app/service.ts";
import type { Store } from "#storage/store.ts";
import { openClient } from "#test/conformance/request.ts";
import type { Answer } from "#test/conformance/recording.ts";

/** A service over a store, and a client that sends exactly the given requests. */
export interface Served {
  readonly url: string;
  /** faults of ours that a client saw as a bare 500 */
  readonly faults: unknown[];
  get(path: string, headers?: Record<string, string>): Promise<Answer>;
  send(method: string, path: string, body?: string, headers?: Record<string, string>): Promise<Answer>;
  close(): Promise<void>;
}

/** Serves `store` on a free port; closing closes the store too. */
export async function serve(store: Store, options: Omit<ServiceOptions, "store"> = {}): Promise<Served> {
  const faults: unknown[] = [];
  const service = await startService({ ...options, store, onFault: (error) => faults.push(error) });
  const client = openClient(service.url);
  const send: Served["send"] = (method, path, body, headers = {}) =>
    client.send({ method, path, headers, ...(body === undefined ? {} : { body }) });
  return {
    url: service.url,
    faults,
    send,
    get: (path, headers) => send("GET", path, undefined, headers),
    close: async () => {
      client.close();
      await service.close();
      await store.close();
    },
  };
}

/** `/pdb/query/v4` + path, with parameters; those that are no text are sent as JSON. */
export function queryPath(path: string, parameters: Record<string, unknown> = {}): string {
  const pairs = Object.entries(parameters).map(
    ([name, value]) => `${name}=${encodeURIComponent(typeof value === "string" ? value : JSON.stringify(value))}`,
  );
  return `/pdb/query/v4${path}${pairs.length === 0 ? "" : `?${pairs.join("&")}`}`;
}

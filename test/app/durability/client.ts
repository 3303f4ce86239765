import { Agent, request } from "node:http";
import type { TextSubmission } from "#test/fixture-store.ts";

/** The response that a client got. */
export interface Reported {
  readonly status: number;
  readonly text: string;
}

/** One connection that sends commands one after another. */
export interface Connection {
  /** @param wait seconds to wait until the command has been tried */
  post(command: TextSubmission, wait?: number): Promise<Reported>;
  /** The rows of an answer. */
  rows(path: string, query?: unknown): Promise<Record<string, unknown>[]>;
  close(): void;
}

/** Connects to a service. What it sends rejects when the service goes away before the whole answer has come. */
export function connect(url: string): Connection {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const send = (method: string, path: string, body?: string): Promise<Reported> =>
    new Promise((resolve, reject) => {
      const headers = { "content-type": "application/json" };
      request(`${url}${path}`, { method, agent, headers }, (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (piece: string) => {
          text += piece;
        });
        response.once("error", reject).once("end", () => resolve({ status: response.statusCode ?? 0, text }));
      })
        .once("error", reject)
        .end(body);
    });
  return {
    post: ({ command, version, certname, payload }, wait = 0) =>
      send(
        "POST",
        `/pdb/cmd/v1?command=${command.replaceAll(" ", "_")}&version=${version}&certname=${certname}` +
          (wait > 0 ? `&secondsToWaitForCompletion=${wait}` : ""),
        payload,
      ),
    rows: async (path, query) => {
      const search = query === undefined ? "" : `?query=${encodeURIComponent(JSON.stringify(query))}`;
      const { status, text } = await send("GET", `/pdb/query/v4/${path}${search}`);
      if (status !== 200) throw new Error(`${path} was answered with ${status}: ${text}`);
      return JSON.parse(text) as Record<string, unknown>[];
    },
    close: () => agent.destroy(),
  };
}

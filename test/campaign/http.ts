import { Agent, request } from "node:http";

export interface Answer {
  readonly status: number;
  readonly text: string;
}

/** One connection on which requests go one after another. */
export class Connection implements Disposable {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  readonly #url: string;

  /** @param url without a slash at the end */
  constructor(url: string) {
    this.#url = url;
  }

  /**
   * @param limit milliseconds until the whole answer has to be there
   * @throws Error when there is no answer, or not all of it
   */
  async send(
    method: string,
    path: string,
    body?: string | Buffer,
    limit = 60_000,
    type = "application/json",
  ): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const headers = { "content-type": type };
      const outgoing = request(`${this.#url}${path}`, { method, agent: this.#agent, headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.once("error", reject);
        response.once("end", () =>
          resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() }),
        );
      });
      const timer = setTimeout(() => outgoing.destroy(new Error(`no answer within ${limit} ms`)), limit);
      outgoing.once("close", () => clearTimeout(timer));
      outgoing.once("error", reject);
      outgoing.end(body);
    });
  }

  /** Rows of an answer. @throws Error for an answer that has none */
  async rows<Row>(entity: string, query: unknown): Promise<Row[]> {
    const search = query === undefined ? "" : `?query=${encodeURIComponent(JSON.stringify(query))}`;
    const { status, text } = await this.send("GET", `/pdb/query/v4/${entity}${search}`);
    if (status !== 200) throw new Error(`${entity} was answered ${status}: ${text.slice(0, 300)}`);
    return JSON.parse(text) as Row[];
  }

  [Symbol.dispose](): void {
    this.#agent.destroy();
  }
}

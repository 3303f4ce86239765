import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { Store } from "#storage/store.ts";
import { Connection } from "#test/campaign/http.ts";
import { type Server, startServer } from "#test/campaign/server.ts";
import { makeAuthorities } from "#test/clients/authorities.ts";
import { freePort } from "#test/free-port.ts";
import { Postgres } from "./postgres.ts";

/** What a server has of a node. */
export interface Known {
  /** The catalogs of its reports. */
  readonly reports: readonly string[];
  /** The catalog that is stored. */
  readonly catalog: string | undefined;
  readonly facts: Readonly<Record<string, unknown>>;
}

/** Attempts to find what a server has to store, 100 ms apart. */
const ATTEMPTS = 300;

/** Two servers with TLS that share a log in PostgreSQL, for clients with one certificate. */
export class Pair implements AsyncDisposable {
  readonly servers: Server[] = [];
  readonly #folder: string;
  readonly #postgres: Postgres;
  readonly #ports: readonly number[];

  private constructor(folder: string, postgres: Postgres, ports: readonly number[]) {
    this.#folder = folder;
    this.#postgres = postgres;
    this.#ports = ports;
  }

  /** @param folder of the test */
  static async start(folder: string): Promise<Pair> {
    await makeAuthorities(folder, { ca: { server: "localhost", member: "member.example.com" } });
    const pair = new Pair(folder, await Postgres.start(folder), [await freePort(), await freePort()]);
    await pair.restart();
    return pair;
  }

  /** For `server_urls` of puppetdb.conf. */
  get urls(): string {
    return this.#ports.map((port) => `https://localhost:${port}`).join(",");
  }

  /** Files of the authority, of the client's certificate and of its key. */
  get credentials(): readonly string[] {
    return ["ca.pem", "member.pem", "member-key.pem"].map((name) => join(this.#folder, name));
  }

  /** Those that run. */
  get running(): readonly Server[] {
    return this.servers.filter((server) => server.end() === undefined);
  }

  /** Starts those that do not run. */
  async restart(): Promise<void> {
    for (const place of this.#ports.keys()) {
      if (this.servers[place]?.end() !== undefined || this.servers[place] === undefined)
        this.servers[place] = this.#start(place);
    }
    await Promise.all(this.servers.map(({ ready }) => ready));
  }

  /** Ends both properly. @returns the checksums of what they have stored */
  async contents(): Promise<readonly string[]> {
    const contents: string[] = [];
    for (const server of this.servers) {
      await server.kill("SIGTERM");
      const store = await Store.open({ directory: server.directory, readOnly: true });
      contents.push((await store.fingerprint()).content);
      await store.close();
    }
    return contents;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.running.map((server) => server.kill()));
    await this.#postgres[Symbol.asyncDispose]();
  }

  #start(place: number): Server {
    const file = (name: string): string => join(this.#folder, name);
    const tls = ["--ssl-host", "localhost", "--ssl-port", String(this.#ports[place])];
    const files = [
      "--ssl-cert",
      file("server.pem"),
      "--ssl-key",
      file("server-key.pem"),
      "--ssl-ca-cert",
      file("ca.pem"),
    ];
    const words = [...tls, ...files, "--command-log", this.#postgres.address()];
    return startServer({ directory: file(`census${place}`), now: new Date().toISOString(), words });
  }
}

/** Waits until a server has that many reports of a node, the last of them about the catalog that it has. */
export async function stored(server: Server, certname: string, reports: number): Promise<Known> {
  for (let attempt = 0; ; attempt++) {
    const found = await known(server, certname);
    const isComplete = found.reports.length >= reports && found.reports.includes(found.catalog ?? "");
    if (isComplete || attempt === ATTEMPTS) return found;
    await pause(100);
  }
}

async function known(server: Server, certname: string): Promise<Known> {
  using connection = new Connection((await server.ready).plain);
  const ofNode = ["=", "certname", certname];
  const facts = await connection.rows<{ readonly name: string; readonly value: unknown }>("facts", ofNode);
  const catalogs = await connection.rows<{ readonly catalog_uuid: string }>("catalogs", ofNode);
  const reports = await connection.rows<{ readonly catalog_uuid: string }>("reports", ofNode);
  return {
    reports: reports.map(({ catalog_uuid: uuid }) => uuid),
    catalog: catalogs[0]?.catalog_uuid,
    facts: Object.fromEntries(facts.map(({ name, value }) => [name, value])),
  };
}

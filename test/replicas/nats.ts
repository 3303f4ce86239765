import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { readAddress } from "#storage/queue/jetstream/address.ts";
import { Connection } from "#storage/queue/jetstream/connection.ts";
import { isLeftOut } from "#test/left-out.ts";
import { freePort } from "#test/free-port.ts";

/** Whether tests with real NATS servers are left out; says so. */
export function isWithoutNats(what: string): boolean {
  let reason: string | undefined;
  try {
    execFileSync("nats-server", ["--version"], { stdio: "ignore" });
  } catch {
    reason = "nats-server is not installed (Debian: nats-server)";
  }
  return isLeftOut(what, reason, "CENSUS_WITHOUT_CLIENTS");
}

interface NatsServer {
  readonly name: string;
  readonly port: number;
  readonly route: number;
  readonly folder: string;
  child: ChildProcess | undefined;
}

/** NATS servers of a test, on the loopback address, with JetStream: one, or a cluster. */
export class Nats implements AsyncDisposable {
  readonly servers: readonly NatsServer[];
  readonly #options: readonly string[];

  private constructor(servers: readonly NatsServer[], options: readonly string[]) {
    this.servers = servers;
    this.#options = options;
  }

  /**
   * @param parent a folder of the test
   * @param count servers
   * @param options further options of `nats-server`
   */
  static async start(parent: string, count = 1, options: readonly string[] = []): Promise<Nats> {
    const servers: NatsServer[] = [];
    for (let index = 0; index < count; index++) {
      const name = `nats${index}`;
      const folder = join(parent, name);
      mkdirSync(folder);
      servers.push({ name, folder, port: await freePort(), route: await freePort(), child: undefined });
    }
    const nats = new Nats(servers, options);
    await nats.restart();
    return nats;
  }

  /** The address of a log. @param port of one server only, or of a proxy before it */
  address(stream: string, port?: number): string {
    const ports = port === undefined ? this.servers.map((server) => server.port) : [port];
    return `nats://${ports.map((each) => `127.0.0.1:${each}`).join(",")}/${stream}`;
  }

  /** Starts all servers that do not run; resolves when a log can be added to. */
  async restart(): Promise<void> {
    for (const server of this.servers) if (!isRunning(server)) this.#start(server);
    for (const server of this.servers) await listening(server);
    if (this.servers.length > 1) await this.#settled();
  }

  /** Ends a server without warning, or all of them. */
  async kill(index?: number): Promise<void> {
    const killed = index === undefined ? this.servers : [this.#at(index)];
    await Promise.all(
      killed.filter(isRunning).map(async ({ child }) => {
        const closed = child && once(child, "close");
        child?.kill("SIGKILL");
        await closed;
      }),
    );
  }

  /** Sends a signal to a server. */
  signal(index: number, signal: NodeJS.Signals): void {
    this.#at(index).child?.kill(signal);
  }

  /** Which server accepts what is added to a stream. Waits for one: nobody answers while the servers elect it. */
  async leaderOf(stream: string): Promise<number> {
    for (let attempt = 0; attempt < 30; attempt++) {
      const info = await this.connected(stream, ({ manager }) => manager.streams.info(stream)).catch(() => undefined);
      const leader = this.servers.findIndex(({ name }) => name === info?.cluster?.leader);
      if (leader >= 0) return leader;
      await pause(500);
    }
    throw new Error(`the stream ${stream} has no leader`);
  }

  /** Runs requests. */
  async connected<T>(stream: string, work: (connection: Connection) => Promise<T>): Promise<T> {
    const connection = await Connection.open(readAddress(this.address(stream)));
    try {
      return await work(connection);
    } finally {
      await connection.close();
    }
  }

  /** Kills all servers and notes what they have on disk. @returns puts it back: they lose what they got since then */
  async snapshot(): Promise<() => Promise<void>> {
    await this.kill();
    for (const { folder } of this.servers) cpSync(folder, `${folder}.copy`, { recursive: true });
    await this.restart();
    return async () => {
      await this.kill();
      for (const { folder } of this.servers) {
        rmSync(folder, { recursive: true });
        cpSync(`${folder}.copy`, folder, { recursive: true });
      }
      await this.restart();
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
  }

  #at(index: number): NatsServer {
    const server = this.servers[index];
    if (server === undefined) throw new Error(`there is no server ${index}`);
    return server;
  }

  #start(server: NatsServer): void {
    const own = ["-n", server.name, "-a", "127.0.0.1", "-p", String(server.port), "-js", "-sd", server.folder];
    const routes = this.servers.map(({ route }) => `nats://127.0.0.1:${route}`).join(",");
    const cluster = ["--cluster_name", "test", "--cluster", `nats://127.0.0.1:${server.route}`, "--routes", routes];
    const all = [...own, ...(this.servers.length > 1 ? cluster : []), ...this.#options];
    server.child = spawn("nats-server", all, { stdio: "ignore" });
    // A test that fails leaves no server behind.
    const { child } = server;
    const end = (): void => void child.kill("SIGKILL");
    process.once("exit", end);
    child.once("close", () => process.off("exit", end));
  }

  /** Resolves when the servers have agreed who leads, and streams can be made. */
  async #settled(): Promise<void> {
    for (let attempt = 0; attempt < 300; attempt++) {
      try {
        await this.connected("settled", async ({ manager }) => {
          await manager.streams.add({ name: "settled", subjects: ["settled"], num_replicas: this.servers.length });
          await manager.streams.delete("settled");
        });
        return;
      } catch {
        await pause(100);
      }
    }
    throw new Error("the NATS servers form no cluster");
  }
}

function isRunning({ child }: NatsServer): boolean {
  return child !== undefined && child.exitCode === null && child.signalCode === null;
}

async function listening(server: NatsServer): Promise<void> {
  for (let attempt = 0; attempt < 300; attempt++) {
    if (!isRunning(server)) throw new Error(`${server.name} has ended`);
    const socket = connect(server.port, "127.0.0.1");
    try {
      await once(socket, "connect");
      return;
    } catch {
      await pause(50);
    } finally {
      socket.destroy();
    }
  }
  throw new Error(`${server.name} does not listen`);
}

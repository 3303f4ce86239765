import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { openSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "#test/free-port.ts";
import type { User } from "./postgres.ts";

interface Member {
  readonly name: string;
  readonly folder: string;
  /** Ports for clients and for the other members. */
  readonly client: number;
  readonly peer: number;
  child: ChildProcess | undefined;
}

/** etcd servers of a test, on the loopback address, which Patroni keeps the state of its cluster in. */
export class Etcd implements AsyncDisposable {
  readonly #members: readonly Member[];
  readonly #user: User;

  private constructor(members: readonly Member[], user: User) {
    this.#members = members;
    this.#user = user;
  }

  /**
   * @param ownFolder makes a folder that the user of the servers owns
   * @param count servers
   */
  static async start(ownFolder: (name: string) => string, user: User, count: number): Promise<Etcd> {
    const members: Member[] = [];
    for (let index = 0; index < count; index++) {
      const name = `etcd${index}`;
      members.push({
        name,
        folder: ownFolder(name),
        client: await freePort(),
        peer: await freePort(),
        child: undefined,
      });
    }
    const etcd = new Etcd(members, user);
    etcd.restart();
    return etcd;
  }

  /** Where clients connect, as Patroni's configuration has it. */
  get hosts(): readonly string[] {
    return this.#members.map(({ client }) => `127.0.0.1:${client}`);
  }

  /** Ends servers without warning. @param places of them; default: all */
  async kill(places: readonly number[] = [...this.#members.keys()]): Promise<void> {
    await Promise.all(
      places.map(async (place) => {
        const child = this.#members[place]?.child;
        if (child === undefined || !isRunning(child)) return;
        const ended = once(child, "exit");
        child.kill("SIGKILL");
        await ended;
      }),
    );
  }

  /** Starts all servers that do not run. */
  restart(): void {
    for (const member of this.#members) {
      if (member.child === undefined || !isRunning(member.child)) this.#start(member);
    }
  }

  /** Deletes a key. */
  async delete(key: string): Promise<void> {
    const body = JSON.stringify({ key: Buffer.from(key).toString("base64") });
    const answer = await fetch(`http://${this.hosts[0]}/v3/kv/deleterange`, { method: "POST", body });
    if (!answer.ok) throw new Error(`etcd: ${answer.status} ${await answer.text()}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
  }

  #start(member: Member): void {
    const { name, folder } = member;
    const [clients, peers] = [`http://127.0.0.1:${member.client}`, `http://127.0.0.1:${member.peer}`];
    const cluster = this.#members.map((each) => `${each.name}=http://127.0.0.1:${each.peer}`).join(",");
    const options = {
      name,
      "data-dir": join(folder, "data"),
      logger: "zap",
      "log-level": "error",
      "listen-client-urls": clients,
      "advertise-client-urls": clients,
      "listen-peer-urls": peers,
      "initial-advertise-peer-urls": peers,
      "initial-cluster": cluster,
    };
    const words = Object.entries(options).flatMap(([option, value]) => [`--${option}`, value]);
    const log = openSync(join(folder, "log"), "a");
    member.child = spawn("/usr/bin/etcd", [...words, "--unsafe-no-fsync"], {
      cwd: "/",
      ...this.#user,
      env: { PATH: process.env["PATH"] },
      stdio: ["ignore", log, log],
    });
  }
}

function isRunning({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode === null && signalCode === null;
}

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { freePort } from "#test/free-port.ts";

/** HAProxy before PostgreSQL servers under Patroni, as in docs/high-availability.md. It leads to the primary. */
export class HaProxy implements AsyncDisposable {
  readonly port: number;
  readonly #child: ChildProcess;

  private constructor(port: number, child: ChildProcess) {
    this.port = port;
    this.#child = child;
  }

  /** @param members ports of PostgreSQL and of Patroni's own interface */
  static async start(
    folder: string,
    members: readonly { readonly name: string; readonly port: number; readonly rest: number }[],
  ): Promise<HaProxy> {
    const port = await freePort();
    const config = join(folder, "haproxy.cfg");
    const servers = members.map(({ name, ...at }) => `  server ${name} 127.0.0.1:${at.port} check port ${at.rest}`);
    const lines = [
      "defaults",
      "  mode tcp",
      "  timeout connect 3s",
      "  timeout client 1h",
      "  timeout server 1h",
      "listen command_log",
      `  bind 127.0.0.1:${port}`,
      "  option httpchk GET /primary",
      "  default-server inter 1s fall 2 rise 3 on-marked-down shutdown-sessions",
      ...servers,
    ];
    writeFileSync(config, `${lines.join("\n")}\n`);
    const child = spawn("/usr/sbin/haproxy", ["-db", "-f", config], { stdio: "ignore" });
    while (!(await accepts(port))) {
      if (child.exitCode !== null) throw new Error(`HAProxy ended with ${child.exitCode}`);
      await pause(50);
    }
    return new HaProxy(port, child);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const ended = once(this.#child, "exit");
    this.#child.kill("SIGKILL");
    await ended;
  }
}

async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, "127.0.0.1");
  try {
    await once(socket, "connect");
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

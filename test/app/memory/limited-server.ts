import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { request } from "node:http";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { environment, program, startFolder } from "#test/program.ts";
import { makeControlGroup } from "./control-group.ts";

/** A response; `status` 0: the connection was cut. */
export interface Received {
  readonly status: number;
  readonly body: Buffer;
}

/** The program serving a data directory in a control group. */
export interface LimitedServer {
  send(method: string, path: string, body?: Buffer | string, type?: string): Promise<Received>;
  /** The body of a successful response to a GET. */
  read(path: string): Promise<Buffer>;
  /** The rows of an answer. */
  rows(entity: string, query?: unknown): Promise<Record<string, unknown>[]>;
  /** Resolves when everything that was acknowledged has been dealt with. */
  settled(): Promise<void>;
  /** Connections that request a long response and do not read it. */
  idlers(number: number, path: string): Socket[];
  /** Fails where a response has none of these statuses: with its body and the end of the program's log. */
  checkStatus(response: Received, statuses: readonly number[]): Promise<void>;
  /** Fails when the program has ended, or the system has ended a process of its group for its memory. */
  checkAlive(): Promise<void>;
  /** Kills the program, and starts it again. */
  kill(): Promise<void>;
  stop(): Promise<void>;
}

interface Running {
  readonly child: ChildProcessWithoutNullStreams;
  readonly closed: Promise<unknown>;
  readonly url: string;
}

/** Where a command is sent. */
export function commandPath(command: string, version: number, certname: string): string {
  return `/pdb/cmd/v1?command=${command.replaceAll(" ", "_")}&version=${version}&certname=${certname}`;
}

/** @param megabytes of the control group */
export async function startLimited(megabytes: number, now: string): Promise<LimitedServer> {
  const group = makeControlGroup(megabytes * 1024 * 1024);
  const data = mkdtempSync(join(tmpdir(), "census-limited-"));
  const words = [...program, "serve", "--data", data, "--port", "0", "--now", now];
  let said = "";
  const begin = async (): Promise<Running> => {
    // The shell enters the group, and becomes the program.
    const child = spawn("sh", ["-c", `echo $$ > ${group.processes}; exec "$@"`, "sh", ...words], {
      cwd: startFolder,
      env: environment(),
    });
    child.stdin.end();
    child.stderr.setEncoding("utf8").on("data", (piece: string) => (said += piece));
    const closed = once(child, "close");
    const url = await new Promise<string>((resolve, reject) => {
      let out = "";
      child.stdout.setEncoding("utf8").on("data", (piece: string) => {
        out += piece;
        const [, found] = /^Census is ready on (http:\S+)\n/m.exec(out) ?? [];
        if (found !== undefined) resolve(found);
      });
      child.once("close", () => reject(new Error(`it ended: ${said}`)));
    });
    return { child, closed, url };
  };
  let running = await begin();

  const send: LimitedServer["send"] = (method, path, body, type = "application/json") =>
    new Promise((resolve) => {
      const cut = (): void => resolve({ status: 0, body: Buffer.alloc(0) });
      request(running.url + path, { method, agent: false, headers: { "content-type": type } }, (response) => {
        const pieces: Buffer[] = [];
        response.on("data", (piece: Buffer) => pieces.push(piece));
        response.once("error", cut);
        response.once("end", () => resolve({ status: response.statusCode ?? 0, body: Buffer.concat(pieces) }));
      })
        .once("error", cut)
        .end(body);
    });
  const checkAlive = async (): Promise<void> => {
    const { child } = running;
    if (child.exitCode !== null || child.signalCode !== null) {
      throw new Error(`it ended by ${child.signalCode ?? `exit code ${child.exitCode}`}: ${said.slice(-2000)}`);
    }
    const { status, body } = await send("GET", "/status/v1/services");
    if (group.kills() > 0) throw new Error("the system ended a process of the group for its memory");
    // After a start it is 503 until the commands of the queue are stored.
    const isStarting = status === 503 && body.includes('"state":"starting"');
    if (status !== 200 && !isStarting)
      throw new Error(`/status is ${status}: ${body.toString()}\nits log: ${said.slice(-4000)}`);
  };
  const checkStatus: LimitedServer["checkStatus"] = async ({ status, body }, statuses) => {
    if (statuses.includes(status)) return;
    // The log comes through a pipe of its own, and may come later than the response.
    await delay(500);
    const text = body.subarray(0, 2000).toString();
    throw new Error(`status ${status}, not ${statuses.join(" or ")}: ${text}\nits log: ${said.slice(-4000)}`);
  };
  const read = async (path: string): Promise<Buffer> => {
    const response = await send("GET", path);
    await checkStatus(response, [200]);
    return response.body;
  };
  return {
    send,
    read,
    checkStatus,
    checkAlive,
    rows: async (entity, query) => {
      const search = query === undefined ? "" : `?query=${encodeURIComponent(JSON.stringify(query))}`;
      return JSON.parse((await read(`/pdb/query/v4/${entity}${search}`)).toString()) as Record<string, unknown>[];
    },
    settled: async () => {
      for (;;) {
        await checkAlive();
        const { body } = await send("GET", "/status/v1/services/puppetdb-status");
        const { status } = JSON.parse(body.toString()) as { status: { queue_depth: number } };
        if (status.queue_depth === 0) return;
        await delay(100);
      }
    },
    idlers: (number, path) => {
      const { hostname, port, host } = new URL(running.url);
      return Array.from({ length: number }, () => {
        const socket = connect(Number(port), hostname);
        // A service may cut it.
        socket.on("error", () => undefined);
        socket.pause();
        socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nAccept: */*\r\n\r\n`);
        return socket;
      });
    },
    kill: async () => {
      running.child.kill("SIGKILL");
      await running.closed;
      running = await begin();
    },
    stop: async () => {
      const { child, closed } = running;
      child.kill("SIGTERM");
      const timer = setTimeout(() => child.kill("SIGKILL"), 20_000);
      await closed;
      clearTimeout(timer);
      await group.remove();
      rmSync(data, { recursive: true, force: true });
    },
  };
}

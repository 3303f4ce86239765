import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { stringify } from "yaml";
import { freePort } from "#test/free-port.ts";
import { isLeftOut } from "#test/left-out.ts";
import { Etcd } from "./etcd.ts";
import { NOBODY, programsFolder, type User } from "./postgres.ts";

/** Whether tests with a real cluster under Patroni are left out; says so. */
export function isWithoutPatroni(what: string): boolean {
  const missing = ["patroni", "etcd", "haproxy"].filter((name) => !isInstalled(name));
  const reason =
    missing.length > 0 || programsFolder === undefined
      ? `${missing.join(", ") || "PostgreSQL"} is not installed (Debian: patroni, etcd-server, haproxy, postgresql)`
      : undefined;
  return isLeftOut(what, reason, "CENSUS_WITHOUT_CLIENTS");
}

function isInstalled(program: string): boolean {
  return ["/usr/bin", "/usr/sbin"].some((folder) => existsSync(join(folder, program)));
}

/** How fast Patroni notices that a primary has ended: seconds, with its own names. */
export interface Pace {
  readonly ttl: number;
  readonly loop_wait: number;
  readonly retry_timeout: number;
}

/** What Patroni's documentation recommends at least is ten times as slow: tests have less time. */
const FAST: Pace = { ttl: 6, loop_wait: 1, retry_timeout: 2 };

/** The name of the cluster. */
const SCOPE = "census";

/** The user and the database of the log. */
const [USER, DATABASE] = ["census", "census_log"];

interface Member {
  readonly name: string;
  readonly port: number;
  readonly rest: number;
  readonly folder: string;
  readonly config: string;
  child: ChildProcess | undefined;
}

interface Listed {
  readonly name: string;
  readonly role: string;
  readonly state: string;
}

/** Milliseconds after which a cluster that has no synchronous standby, or a member that does not follow, is repaired. */
const SETTLING = 20_000;

/** Servers of etcd: with one of them missing the others go on. */
export const ETCD_SERVERS = 3;

/** PostgreSQL servers under Patroni and etcd, one of them a synchronous standby, on the loopback address. */
export class Patroni implements AsyncDisposable {
  readonly members: readonly Member[];
  readonly #user: User;
  readonly etcd: Etcd;

  private constructor(members: readonly Member[], user: User, etcd: Etcd) {
    this.members = members;
    this.#user = user;
    this.etcd = etcd;
  }

  /** @param parent a folder of the test */
  static async start(parent: string, { count = 3, pace = FAST } = {}): Promise<Patroni> {
    const isRoot = process.getuid?.() === 0;
    const user = isRoot ? { uid: NOBODY, gid: NOBODY } : {};
    const ownFolder = (name: string): string => {
      const folder = join(parent, name);
      mkdirSync(folder, { mode: 0o700 });
      if (isRoot) chownSync(folder, NOBODY, NOBODY);
      return folder;
    };
    if (isRoot) chmodSync(parent, 0o755);
    const etcd = await Etcd.start(ownFolder, user, ETCD_SERVERS);
    const members: Member[] = [];
    for (let index = 0; index < count; index++) {
      const name = `pg${index}`;
      const folder = ownFolder(name);
      const member = {
        name,
        folder,
        port: await freePort(),
        rest: await freePort(),
        config: join(folder, "patroni.yaml"),
      };
      writeFileSync(member.config, stringify(configOf(member, etcd.hosts, pace)));
      members.push({ ...member, child: undefined });
    }
    const cluster = new Patroni(members, user, etcd);
    try {
      await cluster.#start(0);
      await cluster.leader();
      await cluster.restart();
      // Before that, a commit would wait.
      await cluster.synchronous();
      cluster.sql("postgres", `CREATE USER ${USER}`);
      cluster.sql("postgres", `CREATE DATABASE ${DATABASE} OWNER ${USER}`);
      return cluster;
    } catch (error) {
      await cluster[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** The address of the log. @param port of a proxy that leads to the primary */
  address(port?: number): string {
    const ports = port === undefined ? this.members.map((member) => member.port) : [port];
    return `postgresql://${USER}@${ports.map((each) => `127.0.0.1:${each}`).join(",")}/${DATABASE}`;
  }

  /** Runs SQL on the primary as superuser. @returns what `psql` prints */
  sql(database: string, text: string): string {
    const hosts = this.members.map(() => "127.0.0.1").join(",");
    const ports = this.members.map(({ port }) => port).join(",");
    const where = `host=${hosts} port=${ports} user=postgres dbname=${database} target_session_attrs=primary connect_timeout=2`;
    return execFileSync(join(programsFolder ?? "", "psql"), ["-qAtc", text, where], {
      cwd: "/",
      encoding: "utf8",
      stdio: "pipe",
    }).trim();
  }

  /** Waits until a proxy leads to the primary alone: each of as many connections as there are members. */
  async reachedBy(port: number): Promise<void> {
    const psql = join(programsFolder ?? "", "psql");
    const where = `host=127.0.0.1 port=${port} user=postgres dbname=postgres connect_timeout=2`;
    const isPrimary = (): boolean =>
      execFileSync(psql, ["-qAtc", "SELECT pg_is_in_recovery()", where], { cwd: "/", encoding: "utf8" }).trim() === "f";
    while (!this.members.every(isPrimary)) await pause(200);
  }

  /** The id of the last entry of the log. */
  head(): number {
    return Number(this.sql(DATABASE, "SELECT max(seq) FROM census_command_log"));
  }

  /** Waits until Patroni lists a primary. @param not that was the primary before @returns its place among the members */
  async leader(not?: number): Promise<number> {
    for (;;) {
      const leader = (await this.#list()).find(({ role, state }) => role === "leader" && state === "running");
      const place = this.members.findIndex(({ name }) => name === leader?.name);
      if (place >= 0 && place !== not && (await this.#isPrimary(place))) return place;
      await pause(100);
    }
  }

  /**
   * Waits until all other members follow the primary and one of them is its synchronous standby. Patroni lists a standby as
   * such for some seconds after it has stopped following.
   * @returns the place of the synchronous standby among the members
   */
  async synchronous(): Promise<number> {
    for (let deadline = Date.now() + SETTLING; ; await pause(100)) {
      const following = this.#following();
      const standby = (await this.#list()).find(
        ({ name, role }) => role === "sync_standby" && following.get(name) === "sync",
      );
      if (standby !== undefined && following.size === this.members.length - 1) {
        return this.members.findIndex(({ name }) => name === standby.name);
      }
      if (Date.now() < deadline) continue;
      await this.#repair(following);
      deadline = Date.now() + SETTLING;
    }
  }

  /** What an administrator does with a cluster that does not recover by itself. */
  async #repair(following: ReadonlyMap<string, string>): Promise<void> {
    const primary = await this.leader();
    const lost = this.members.filter(({ name }, place) => place !== primary && !following.has(name));
    process.stderr.write(`repairing ${lost.map(({ name }) => name).join(", ") || "the key of the standby"}\n`);
    // A member that was killed while it became the primary is on a timeline that the others do not have: copy it anew.
    for (const { rest } of lost) {
      const body = JSON.stringify({ force: true });
      await fetch(`http://127.0.0.1:${rest}/reinitialize`, { method: "POST", body }).catch(() => undefined);
    }
    if (lost.length > 0) return;
    // A primary that was frozen may write its own name into the key of the standby when it goes on; Patroni 3.0.2 then waits
    // for that one to change it.
    await this.etcd.delete(`/service/${SCOPE}/sync`);
  }

  /** The members that receive what the primary writes, and whether it waits for them: `sync` or `async`. */
  #following(): ReadonlyMap<string, string> {
    const text = "SELECT application_name, sync_state FROM pg_stat_replication WHERE state = 'streaming'";
    try {
      const lines = this.sql("postgres", text).split("\n");
      return new Map(lines.filter((line) => line !== "").map((line) => line.split("|", 2) as [string, string]));
    } catch {
      // There is no primary.
      return new Map();
    }
  }

  /** Starts Patroni again where it does not run; it starts PostgreSQL. */
  async restart(): Promise<void> {
    for (const [place, { child }] of this.members.entries()) {
      if (child === undefined || child.exitCode !== null || child.signalCode !== null) await this.#start(place);
    }
  }

  /** Sends a signal to Patroni of a member, to PostgreSQL of it, or to both. */
  signal(place: number, signal: NodeJS.Signals, to: "patroni" | "postgres" | "both"): void {
    const { child, folder } = this.#at(place);
    const parents = [to === "postgres" ? undefined : child?.pid, to === "patroni" ? undefined : postmasterOf(folder)];
    for (const pid of parents.flatMap((parent) => (parent === undefined ? [] : withChildren(parent))))
      send(pid, signal);
  }

  /** Ends a member without warning. */
  async kill(place: number, what: "patroni" | "postgres" | "both" = "both"): Promise<void> {
    const { child } = this.#at(place);
    const closed =
      what !== "postgres" && child?.exitCode === null && child.signalCode === null ? once(child, "exit") : undefined;
    this.signal(place, "SIGKILL", what);
    await closed;
  }

  /** What the members' Patroni and PostgreSQL have printed. */
  log(): string {
    return this.members
      .map(({ folder, name }) => `== ${name}\n${readFileSync(join(folder, "log"), "utf8").slice(-4000)}`)
      .join("\n");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const place of this.members.keys()) {
      this.signal(place, "SIGCONT", "both");
      await this.kill(place);
    }
    await this.etcd[Symbol.asyncDispose]();
  }

  #at(place: number): Member {
    const member = this.members[place];
    if (member === undefined) throw new Error(`no member ${place}`);
    return member;
  }

  async #start(place: number): Promise<void> {
    const member = this.#at(place);
    const log = openSync(join(member.folder, "log"), "a");
    const env = { PATH: process.env["PATH"], HOME: member.folder, LC_ALL: "C.UTF-8" };
    member.child = spawn("/usr/bin/patroni", [member.config], {
      cwd: "/",
      ...this.#user,
      env,
      stdio: ["ignore", log, log],
    });
  }

  /** Lets another member become the primary, as for maintenance. */
  async switchOver(place: number): Promise<void> {
    const { name, rest } = this.#at(place);
    const body = JSON.stringify({ leader: name });
    // It refuses while the standby is busy.
    while (!(await fetch(`http://127.0.0.1:${rest}/switchover`, { method: "POST", body })).ok) await pause(500);
    await this.leader(place);
  }

  /** What the first member says that answers. */
  async #list(): Promise<readonly Listed[]> {
    for (const { rest } of this.members) {
      try {
        const response = await fetch(`http://127.0.0.1:${rest}/cluster`, { signal: AbortSignal.timeout(1000) });
        return ((await response.json()) as { readonly members: readonly Listed[] }).members;
      } catch {
        // It does not run, or is frozen.
      }
    }
    return [];
  }

  async #isPrimary(place: number): Promise<boolean> {
    const response = await fetch(`http://127.0.0.1:${this.#at(place).rest}/primary`, {
      signal: AbortSignal.timeout(1000),
    }).catch(() => undefined);
    return response?.status === 200;
  }
}

/** The configuration of a member, as a site has it but for times and paths. */
function configOf(member: Omit<Member, "child">, etcd: readonly string[], pace: Pace): unknown {
  const { name, port, rest, folder } = member;
  return {
    scope: SCOPE,
    name,
    restapi: { listen: `127.0.0.1:${rest}`, connect_address: `127.0.0.1:${rest}` },
    etcd3: { hosts: etcd },
    bootstrap: {
      dcs: {
        ...pace,
        maximum_lag_on_failover: 1_048_576,
        synchronous_mode: true,
        // Otherwise a primary without a standby lets commits wait for nobody, one that was frozen as well.
        synchronous_mode_strict: true,
        postgresql: { use_pg_rewind: true, use_slots: true, parameters: { max_connections: 50 } },
      },
      initdb: [{ encoding: "UTF8" }, { locale: "C" }, "data-checksums", "no-sync"],
    },
    postgresql: {
      listen: `127.0.0.1:${port}`,
      connect_address: `127.0.0.1:${port}`,
      data_dir: join(folder, "data"),
      bin_dir: programsFolder,
      pgpass: join(folder, "pgpass"),
      basebackup: [{ checkpoint: "fast" }],
      authentication: { superuser: { username: "postgres" }, replication: { username: "replicator" } },
      pg_hba: ["host all all 127.0.0.1/32 trust", "host replication all 127.0.0.1/32 trust"],
      parameters: { unix_socket_directories: "", shared_buffers: "16MB", fsync: "off" },
    },
  };
}

/** The process of PostgreSQL that runs on a member. */
function postmasterOf(folder: string): number | undefined {
  const file = join(folder, "data", "postmaster.pid");
  const pid = existsSync(file) ? Number(readFileSync(file, "utf8").split("\n", 1)[0]) : 0;
  // After its end, another process may have the number.
  const isPostgres =
    pid > 0 && existsSync(`/proc/${pid}`) && readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(folder);
  return isPostgres ? pid : undefined;
}

/** A process and all that it has started. */
function withChildren(pid: number): number[] {
  const children = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const fields = readFileSync(`/proc/${name}/stat`, "utf8")
          .replace(/^.*\) /s, "")
          .split(" ");
        return Number(fields[1]) === pid ? [Number(name)] : [];
      } catch {
        // It has ended meanwhile.
        return [];
      }
    });
  return [pid, ...children.flatMap(withChildren)];
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended by itself.
  }
}

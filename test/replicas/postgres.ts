import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  chownSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { isLeftOut } from "#test/left-out.ts";
import { freePort } from "#test/free-port.ts";

const INSTALLED = "/usr/lib/postgresql";

/** Folders with PostgreSQL's programs, the newest version first. */
const folders = (existsSync(INSTALLED) ? readdirSync(INSTALLED) : [])
  .sort((a, b) => Number(b) - Number(a))
  .map((version) => join(INSTALLED, version, "bin"))
  .filter((folder) => existsSync(join(folder, "initdb")));

/** The folder with the programs of the newest; undefined: it is not installed. */
export const programsFolder = folders[0];

/** Whether tests with a real PostgreSQL are left out; says so. */
export function isWithoutPostgres(what: string): boolean {
  const reason = folders.length === 0 ? "PostgreSQL is not installed (Debian: postgresql)" : undefined;
  return isLeftOut(what, reason, "CENSUS_WITHOUT_CLIENTS");
}

/** The system's user without rights: PostgreSQL refuses to run as root. */
export const NOBODY = 65_534;

/** As whom it runs; empty: as the user of the test. */
export interface User {
  readonly uid?: number;
  readonly gid?: number;
}

/** A PostgreSQL server of a test, on the loopback address. */
export class Postgres implements AsyncDisposable {
  readonly port: number;
  readonly #folder: string;
  readonly #user: User;
  readonly #isDurable: boolean;
  #child: ChildProcess | undefined;

  private constructor(folder: string, port: number, user: User, isDurable: boolean) {
    this.#isDurable = isDurable;
    this.#folder = folder;
    this.port = port;
    this.#user = user;
  }

  /**
   * @param parent a folder of the test
   * @param isDurable whether commits wait for the disk; default: no, since killed processes lose nothing that the system has
   */
  static async start(parent: string, { isDurable = false } = {}): Promise<Postgres> {
    const folder = join(parent, "postgres");
    mkdirSync(folder);
    const isRoot = process.getuid?.() === 0;
    const user = isRoot ? { uid: NOBODY, gid: NOBODY } : {};
    if (isRoot) {
      chownSync(folder, NOBODY, NOBODY);
      chmodSync(parent, 0o755);
    }
    const [programs = ""] = folders;
    const options = ["-D", folder, "-A", "trust", "-U", "census", "-E", "UTF8", "--locale=C", "--no-sync"];
    execFileSync(join(programs, "initdb"), options, { cwd: "/", ...user, stdio: "pipe" });
    const postgres = new Postgres(folder, await freePort(), user, isDurable);
    await postgres.restart();
    return postgres;
  }

  /** The address of its database, by another port where a proxy is before it. */
  address(port = this.port): string {
    return `postgresql://census@127.0.0.1:${port}/postgres`;
  }

  /**
   * Lets users in with a password and over TLS only.
   * @param certificate files of its certificate and key, which it gets a copy of
   */
  async requirePasswords({ cert, key }: { readonly cert: string; readonly key: string }): Promise<void> {
    for (const [from, name] of [
      [cert, "server.crt"],
      [key, "server.key"],
    ] as const) {
      const to = join(this.#folder, name);
      copyFileSync(from, to);
      chmodSync(to, 0o600);
      const { uid, gid } = this.#user;
      if (uid !== undefined && gid !== undefined) chownSync(to, uid, gid);
    }
    this.sql("ALTER SYSTEM SET ssl = on");
    writeFileSync(
      join(this.#folder, "pg_hba.conf"),
      "host all census 127.0.0.1/32 trust\nhostssl all all 127.0.0.1/32 scram-sha-256\n",
    );
    this.sql("SELECT pg_reload_conf()");
  }

  /**
   * Copies it while it does not run. The copy is the primary of a cluster that has taken over: this one does not know of it.
   * @param parent another folder of the test
   */
  async successor(parent: string): Promise<Postgres> {
    const folder = join(parent, "postgres");
    cpSync(this.#folder, folder, { recursive: true });
    const { uid, gid } = this.#user;
    if (uid !== undefined && gid !== undefined) {
      chmodSync(parent, 0o755);
      execFileSync("chown", ["-R", `${uid}:${gid}`, folder]);
    }
    chmodSync(folder, 0o700);
    rmSync(join(folder, "postmaster.pid"), { force: true });
    writeFileSync(join(folder, "standby.signal"), "");
    const copy = new Postgres(folder, await freePort(), this.#user, this.#isDurable);
    await copy.restart();
    copy.sql("SELECT pg_promote()");
    return copy;
  }

  /** Starts it again after {@link kill}. */
  async restart(): Promise<void> {
    const [programs = ""] = folders;
    const settings = ["listen_addresses=127.0.0.1", `port=${this.port}`, "unix_socket_directories="];
    const options = [...settings, `fsync=${this.#isDurable ? "on" : "off"}`, "shared_buffers=16MB"].flatMap(
      (setting) => ["-c", setting],
    );
    const user = this.#user;
    this.#child = spawn(join(programs, "postgres"), ["-D", this.#folder, ...options], {
      cwd: "/",
      ...user,
      stdio: ["ignore", "ignore", "pipe"],
    });
    let log = "";
    this.#child.stderr?.setEncoding("utf8").on("data", (piece: string) => (log = (log + piece).slice(-4000)));
    for (let attempt = 0; attempt < 600; attempt++) {
      if (this.#child.exitCode !== null) break;
      if (this.#isReady(programs)) return;
      await pause(100);
    }
    throw new Error(`PostgreSQL does not start: ${log}`);
  }

  /** Runs SQL. @returns what `psql` prints */
  sql(text: string): string {
    return this.inDatabase("postgres", text);
  }

  /** The same in another database. */
  inDatabase(database: string, text: string): string {
    const [programs = ""] = folders;
    const options = ["-h", "127.0.0.1", "-p", String(this.port), "-U", "census", "-d", database, "-qAtc", text];
    return execFileSync(join(programs, "psql"), options, { cwd: "/", encoding: "utf8" }).trim();
  }

  /** Ends all of its processes without warning. */
  async kill(): Promise<void> {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const closed = once(child, "close");
    this.signal("SIGKILL");
    await closed;
  }

  /** Sends a signal to all of its processes. */
  signal(signal: NodeJS.Signals): void {
    const { pid: parent = 0 } = this.#child ?? {};
    const others = execFileSync("ps", ["-o", "pid=", "--ppid", String(parent)], { encoding: "utf8" });
    for (const pid of [parent, ...others.split("\n").map(Number)]) {
      try {
        if (pid > 0) process.kill(pid, signal);
      } catch {
        // It has ended by itself.
      }
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
  }

  #isReady(programs: string): boolean {
    try {
      execFileSync(join(programs, "pg_isready"), ["-q", "-h", "127.0.0.1", "-p", String(this.port)], { cwd: "/" });
      return true;
    } catch {
      return false;
    }
  }
}

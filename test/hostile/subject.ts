import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { populationCommands } from "#fixtures/population.ts";
import { stringifyJson } from "#storage/json.ts";
import { type Server, startServer } from "#test/campaign/server.ts";
import { createAuthority } from "#test/certificates.ts";
import { hostileNodes } from "./kinds/words.ts";
import type { Target, TlsTarget } from "./send.ts";

const NOW = "2026-11-21T00:00:00Z";
const NODES = 8;

/** Seconds that the attacked server may spend on a query: less than the time after which a request counts as hanging. */
const QUERY_TIMEOUT = 5;

/** Queries about nodes that no attack writes to. */
const known = [
  ["nodes", `["~","certname","@"]`, ["certname"]],
  ["facts", `["and",["~","certname","@"],["in","name",["array",["kernel","os","certname"]]]]`, ["certname", "name"]],
  [
    "resources",
    `["extract",["certname",["function","count"]],["~","certname","@"],["group_by","certname"]]`,
    ["certname"],
  ],
  ["edges", `["extract",["certname",["function","count"]],["~","certname","@"],["group_by","certname"]]`, ["certname"]],
  ["reports", `["extract",["certname","hash","status"],["~","certname","@"]]`, ["hash"]],
  ["events", `["extract",["status",["function","count"]],["~","certname","@"],["group_by","status"]]`, ["status"]],
] as const;

/** What is attacked: a server of our own with a population, or one that is there. */
export interface Subject {
  readonly target: Target;
  /** Undefined for a server that was there before. */
  readonly server: Server | undefined;
  /** What of the known answers is not as it was; undefined when all are. */
  changed(): Promise<string | undefined>;
  /** Starts the server again after it has ended: on its data where that works. @returns why that did not work, if so */
  restart(): Promise<{ readonly subject: Subject; readonly refused: string | undefined }>;
  close(): Promise<void>;
}

/** Attacks a server that is running already, with the content that it has. */
export async function foreignSubject(url: string): Promise<Subject> {
  const answers = await knownAnswers(url, ".");
  const subject: Subject = {
    target: { url },
    server: undefined,
    changed: () => compare(url, ".", answers),
    restart: async () => ({ subject, refused: `the server at ${url} does not answer` }),
    close: async () => undefined,
  };
  return subject;
}

/** Starts a server on a temporary data directory and gives it a population. @param memory megabytes it may have */
export async function ownSubject(memory: number | undefined): Promise<Subject> {
  const folder = mkdtempSync(join(tmpdir(), "census-hostile-"));
  try {
    const site = writeSite(folder);
    return await populated(folder, site, memory, 0);
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

interface Site {
  readonly words: readonly string[];
  readonly tls: Omit<TlsTarget, "port">;
}

async function populated(folder: string, site: Site, memory: number | undefined, times: number): Promise<Subject> {
  const directory = join(folder, `data-${times}`);
  const server = start(directory, site, memory);
  const { plain } = await server.ready;
  const pattern = await populate(plain);
  // Purge old data now, not when an attack happens to trigger it.
  await post(`${plain}/pdb/admin/v1/cmd`, '{"command":"clean","version":1,"payload":[]}');
  const answers = await knownAnswers(plain, pattern);
  return serving(server);

  async function serving(server: Server): Promise<Subject> {
    const { plain: url, tls } = await server.ready;
    const target = { url, ...(tls === undefined ? {} : { tls: { ...site.tls, port: Number(new URL(tls).port) } }) };
    return {
      target,
      server,
      changed: () => compare(url, pattern, answers),
      restart: async () => {
        const next = start(directory, site, memory);
        try {
          const subject = await serving(next);
          await stays(next);
          return { subject, refused: undefined };
        } catch (error) {
          await next.kill();
          rmSync(directory, { recursive: true, force: true });
          return { subject: await populated(folder, site, memory, times + 1), refused: String(error) };
        }
      },
      close: async () => {
        await server.kill("SIGTERM");
        rmSync(folder, { recursive: true, force: true });
      },
    };
  }
}

/** Milliseconds in which a server that was started again may end once more. */
const TRIAL = 20_000;

/** Lets a server do what it has to do after a start, which ends it again where a command in its queue does that. */
async function stays(server: Server): Promise<void> {
  const { plain } = await server.ready;
  const started = Date.now();
  for (let idle = 0; idle < 3 && Date.now() - started < TRIAL;) {
    await new Promise((resolve) => setTimeout(resolve, 500));
    const how = server.end();
    if (how !== undefined) throw new Error(`ended with ${how} again: ${server.log().slice(-1500)}`);
    const response = await fetch(`${plain}/status/v1/services/puppetdb-status`).catch(() => undefined);
    const text = (await response?.text().catch(() => "")) ?? "";
    idle = /"queue_depth"\s*:\s*0\b/.test(text) ? idle + 1 : 0;
  }
}

function start(directory: string, site: Site, memory: number | undefined): Server {
  const limits = ["--query-timeout-default", String(QUERY_TIMEOUT), "--query-timeout-max", String(QUERY_TIMEOUT)];
  return startServer({ directory, now: NOW, memory, words: [...site.words, ...limits] });
}

function writeSite(folder: string): Site {
  const authority = createAuthority("Hostile CA");
  const server = authority.issue({ name: "census.example.com", at: ["localhost", "127.0.0.1"] });
  const member = authority.issue({ name: "member.example.com" });
  const write = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text, { mode: 0o600 });
    return join(folder, name);
  };
  const words = [
    "--ssl-host",
    "127.0.0.1",
    "--ssl-port",
    "0",
    "--ssl-cert",
    write("cert.pem", server.cert),
    "--ssl-key",
    write("key.pem", server.key),
    "--ssl-ca-cert",
    write("ca.pem", authority.cert),
  ];
  return { words, tls: { ca: authority.cert, cert: member.cert, key: member.key } };
}

/** Sends a population. @returns a pattern that its certnames match, and those of attacks do not */
async function populate(url: string): Promise<string> {
  const options = {
    nodes: NODES,
    seed: 1,
    reportsPerNode: 2,
    baseTime: "2026-11-20T12:00:00Z",
    factLeaves: 60,
    resources: 40,
  };
  const names = new Set<string>();
  for (const { command, version, certname, payload } of populationCommands(options)) {
    names.add(certname);
    const search = `command=${command.replaceAll(" ", "_")}&version=${version}&certname=${certname}`;
    await post(`${url}/pdb/cmd/v1?${search}&secondsToWaitForCompletion=60`, stringifyJson(payload));
  }
  if (hostileNodes.some((name) => names.has(name))) throw new Error("attacks write to a known node");
  return `^(${[...names].map((name) => name.replaceAll(".", "[.]")).join("|")})$`;
}

async function post(url: string, body: string): Promise<void> {
  const response = await fetch(url, { method: "POST", body, headers: { "content-type": "application/json" } });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`a command of the population was answered ${response.status}: ${text}`);
}

async function knownAnswers(url: string, pattern: string): Promise<readonly string[]> {
  return Promise.all(known.map((query) => answerTo(url, pattern, query)));
}

async function answerTo(url: string, pattern: string, [path, query, order]: (typeof known)[number]): Promise<string> {
  const search = new URLSearchParams({
    query: query.replace("@", pattern),
    order_by: JSON.stringify(order.map((field) => ({ field }))),
  });
  const response = await fetch(`${url}/pdb/query/v4/${path}?${search.toString()}`);
  return `${response.status} ${await response.text()}`;
}

async function compare(url: string, pattern: string, answers: readonly string[]): Promise<string | undefined> {
  const now = await knownAnswers(url, pattern);
  const at = now.findIndex((answer, index) => answer !== answers[index]);
  if (at < 0) return undefined;
  const [before = "", after = ""] = [answers[at], now[at]];
  let from = 0;
  while (from < before.length && before[from] === after[from]) from++;
  const part = (text: string): string => text.slice(Math.max(0, from - 100), from + 200);
  return `${known[at]?.[0]}: from character ${from} it was …${part(before)}… and is …${part(after)}…`;
}

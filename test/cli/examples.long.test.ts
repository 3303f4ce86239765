import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { userInfo } from "node:os";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openMembers } from "#storage/archive/members.ts";
import { DeadLetters } from "#storage/queue/dead-letters.ts";
import { createAuthority } from "#test/certificates.ts";
import { program } from "#test/program.ts";
import { tgz } from "#test/storage/archive/build.ts";
import { queued, RECEIVED } from "#test/storage/queue/entries.ts";
import { facts, metadata } from "./archives.ts";
import { census, environment, SAMPLE, startServer, workFolder } from "./census.ts";
import type { Running } from "#test/running.ts";
import { commands } from "./declarations.ts";

const folder = workFolder();
const data = join(folder, "data");
const file = (name: string, content: string | Uint8Array): string => {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), content);
  return join(folder, name);
};

/** When the sample was exported: the present time of examples about the past, which this machine's does not change. */
const EXPORTED = "2026-11-20T12:00:00Z";

type Member = readonly [name: string, body: string];

/** What the sample has of a few nodes, among them those that the examples name. */
async function sampleMembers(): Promise<Member[]> {
  const members: Member[] = [];
  for await (const { name, body } of openMembers(SAMPLE)) {
    if (/metadata|berth-00(?:06|15|24|33)|crane-00[01]/.test(name)) members.push([name, body.toString()]);
  }
  return members;
}

let server: Running;
let tls: string;

/** What a user who types the examples has: archives, queries, certificates, settings, a server, dead letters. */
beforeAll(async () => {
  const members = await sampleMembers();
  for (const name of ["export.tgz", "site.tgz", "old.tgz", "last-week.tgz"]) file(name, await tgz(members));
  const changed = members.map(([name, body]): Member => [name, body.replace('"kernel": "Linux"', '"kernel": "GNU"')]);
  file("new.tgz", await tgz(changed));
  const earlier = changed
    .filter(([name]) => !name.includes("/reports/"))
    .map(([name, body]): Member => [name, body.replaceAll("2026-11-20T", "2026-11-17T")]);
  file("earlier.tgz", await tgz(earlier));
  file("damaged.tgz", await tgz([metadata, facts("one", "{}"), facts("two", '"none"')]));
  for (const name of ["query.pql", "questions.pql"]) file(name, "nodes[certname] {}\n");
  file("etc/puppetlabs/code/environments/production/modules/ntp/manifests/init.pp", "class ntp { }\n");
  file("site.pp", "class site::old { }\n");
  file("runs.sql", "SELECT status, count(*) AS runs FROM reports GROUP BY ALL");
  file(
    "checks.yaml",
    "parameters: { environment: test, max_silent: 3 }\nqueries:\n  - name: few nodes are silent\n" +
      "    query: nodes[certname] { report_environment = $environment and latest_report_status is null }\n" +
      "    expect: { rows: { max: $max_silent } }\n",
  );
  file("salt", "a salt that two archives have in common");
  file("secret.txt", "a secret that a receiver of webhooks has as well");
  file("test/nodes/facts/web-01.json", '{"kernel": "Linux"}');
  file("etc/census/conf.d/census.ini", `[global]\nvardir = ${join(folder, "var")}\n[jetty]\nport = 0\n`);
  file("etc/puppetlabs/puppetdb/conf.d/jetty.ini", `[global]\nvardir = ${join(folder, "var")}\n[jetty]\nport = 0\n`);
  for (const path of ["etc/bash_completion.d", "etc/puppetboard", ".zfunc", ".config/fish/completions", "share"]) {
    mkdirSync(join(folder, path), { recursive: true });
  }
  symlinkSync(data, join(folder, "share/census"));
  // Programs that represent the user's own in an example.
  for (const name of ["npm", "pytest"]) chmodSync(file(`bin/${name}`, '#!/bin/sh\ntest -n "$CENSUS_URL"\n'), 0o755);
  chmodSync(file("bin/man", "#!/bin/sh\nexec cat\n"), 0o755);
  chmodSync(file("bin/census", `#!/bin/sh\nexec ${program.map((word) => `'${word}'`).join(" ")} "$@"\n`), 0o755);
  const authority = createAuthority("Site CA");
  const own = authority.issue({ name: "census.example.com", at: ["127.0.0.1"] });
  const client = authority.issue({ name: "workstation.example.com" });
  const ca = file("ca.pem", authority.cert);
  for (const name of ["cert.pem", "me.pem"]) file(name, client.cert);
  for (const name of ["key.pem", "me-key.pem"]) file(name, client.key);
  const shown = ["--ssl-cert", file("own.pem", own.cert), "--ssl-key", file("own.key", own.key), "--ssl-ca-cert", ca];
  const words = [
    "serve",
    "--data",
    join(folder, "served"),
    ...shown,
    "--ssl-host",
    "127.0.0.1",
    "--ssl-port",
    "0",
    "--port",
    "0",
    "--allow-sql",
  ];
  server = await startServer(words);
  tls = / and (https:\S+)/.exec(server.said())?.[1] ?? "";
  const sent = await census(["import", join(folder, "export.tgz"), "--url", server.url]);
  if (sent.code !== 0) throw new Error(sent.stderr);
  // In this order, they become history.
  const archives = ["earlier.tgz", "export.tgz"].map((name) => join(folder, name));
  const { code, stderr } = await census(["import", ...archives, "--data", data, "--now", EXPORTED]);
  if (code !== 0) throw new Error(stderr);
  const office = new DeadLetters(join(data, "queue"));
  await office.discard(queued(17, { certname: "web-01" }), Buffer.from("{}"), [{ at: RECEIVED, message: "no values" }]);
});
afterAll(async () => server.stop());

const examples = commands.flatMap((command) => command.examples);

const sharedLog = examples.filter((line) => line.startsWith("command-log "));

/** Examples whose exit code has a meaning. */
const codes: Readonly<Record<string, number>> = {
  // They need a terminal, which test/cli/top/ has.
  top: 2,
  "top --as-of 2d --data /var/lib/census": 2,
  "top export.tgz": 2,
  "top https://census.example.com:8081 --cert cert.pem --key key.pem --cacert ca.pem": 2,
  "user add alice --role reader --access-file /etc/census/access.json": 2,
  // They need PostgreSQL, which test/replicas/operation.long.test.ts has.
  ...Object.fromEntries(sharedLog.map((line) => [line, 2])),
  "issues --new --exit-code --archive export.tgz": 1,
  "import damaged.tgz --keep-going": 1,
  "diff old.tgz new.tgz --only facts,resources --exit-code --output json": 1,
};

/** Places and times that a test cannot have, and those it has instead. */
function placed(line: string): string {
  return line
    .replace(/^(?:user|token) (?!.*--access-file).*/, "$& --access-file /etc/census/access.json")
    .replace(/^(follow|import https:) .*/, (whole) => whole.replace("/var/lib/census", join(folder, "followed")))
    .replaceAll(/https:\/\/pdb\S+/g, line.includes("--cacert") ? tls : server.url)
    .replace("--port 8090", "--port 0")
    .replace(/^(?:diff|log) .*--data \/var\/lib\/census$/, `$& --now ${EXPORTED}`)
    .replaceAll("/var/lib/census", data)
    .replaceAll(" /etc/", ` ${folder}/etc/`)
    .replaceAll("https://census.example.com:8081", tls)
    .replaceAll("http://127.0.0.1:8080", server.url)
    .replaceAll("--as-user census", `--as-user ${userInfo().username}`)
    .replaceAll("--port 9000", "--port 0");
}

/** Examples that serve until they are stopped. */
function isServing(line: string): boolean {
  return /^(?:open|serve) |^fixture (?!.* -- )|^follow (?!.*--until-equal)/.test(line);
}

/** Examples that follow a server until they are stopped, and print nothing if nothing arrives. */
function isFollowing(line: string): boolean {
  return /^(?:tail|watch) .*http:/.test(line) && !line.includes("--once");
}

/** How long one of them runs, ms: the program has started by then; on a busy machine it has after the second one. */
const FOLLOWED = [2500, 20_000] as const;

interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** What a shell makes of a command line. One that follows is run for longer if the signal met it before it had started. */
async function typed(line: string): Promise<Outcome> {
  const outcome = await run(line, FOLLOWED[0]);
  return isFollowing(line) && outcome.code === null ? run(line, FOLLOWED[1]) : outcome;
}

async function run(line: string, followed: number): Promise<Outcome> {
  const isRunning = isServing(line) || isFollowing(line);
  const child = spawn("bash", ["-c", isRunning ? `exec census ${line}` : `set -o pipefail; census ${line}`], {
    cwd: folder,
    env: environment({
      PATH: `${join(folder, "bin")}:/usr/bin:/bin`,
      HOME: folder,
      XDG_DATA_HOME: join(folder, "share"),
      CENSUS_URL: server.url,
      // Another program may use the default port.
      CENSUS_JETTY_PORT: "0",
    }),
  });
  child.stdin.end();
  if (isServing(line)) child.stdout.once("data", () => child.kill("SIGINT"));
  if (isFollowing(line)) setTimeout(() => child.kill("SIGINT"), followed);
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  return { code: code as number | null, stdout, stderr };
}

describe("an example of the help works", () => {
  it.each(examples)("census %s", async (line) => {
    const { code, stderr } = await typed(placed(line));
    const expected = codes[line] ?? 0;
    // stderr shows why the code is another one.
    expect({ code, said: code === expected ? "" : stderr }).toStrictEqual({ code: expected, said: "" });
    expect(stderr).not.toContain("unexpected error");
  });
});

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createAuthority } from "#test/certificates.ts";
import { a } from "#test/fixture-store.ts";
import type { Running } from "#test/running.ts";
import { census, SAMPLE, workFolder } from "../census.ts";
import { follow, type Following, queried, send, serveData } from "./program.ts";
import { type Delivery, startReceiver } from "./receiver.ts";

const folder = workFolder();
const SECRET = "a secret of more than sixteen bytes";
const env = { CENSUS_WEBHOOK_SECRET: SECRET };

let server: Running;
beforeAll(async () => {
  server = await serveData(join(folder, "data"), 0, ["--allow-sql"]);
});
afterAll(() => server.stop());

/** Sends a node whose name begins so, and waits until a query finds it. */
async function addNode(certname: string): Promise<void> {
  await send(
    server.url,
    a.facts(certname, { producer_timestamp: new Date().toISOString(), values: { kernel: "Linux" } }),
  );
  await expect.poll(() => queried(server.url, `nodes[certname] { certname = "${certname}" }`)).toHaveLength(1);
}

/** The nodes of a test, whose names begin with its name. */
const nodesOf = (name: string): string => `nodes[certname] { certname ~ "^${name}-" }`;

function watch(query: string, ...words: readonly string[]): Following {
  return follow(["watch", query, "--url", server.url, "--every", "0.2s", ...words], env);
}

/** Waits until the first result is there: what comes from now on is a change. */
async function watching(followed: Following): Promise<void> {
  await expect.poll(followed.stderr).toMatch(/^census: \d+ rows? at first\n/);
}

async function killed({ child, ended }: Following): Promise<void> {
  child.kill("SIGKILL");
  await ended;
}

describe("census watch", () => {
  it("prints the rows that came or went, the first ones being the base", async () => {
    await addNode("print-0");
    const lines = watch(nodesOf("print"));
    const text = watch(nodesOf("print"), "--output", "text");
    await Promise.all([watching(lines), watching(text)]);
    expect(lines.stderr()).toBe("census: 1 row at first\n");
    await addNode("print-1");
    await expect.poll(() => lines.rows().length).toBe(1);
    await expect.poll(text.stdout).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ {2}\+ certname=print-1\n$/);
    expect(lines.rows()[0]).toMatchObject({ change: "added", sequence: 1, row: { certname: "print-1" } });
    expect(await lines.end("SIGINT")).toBe(0);
    expect(await text.end("SIGTERM")).toBe(0);
  });

  it("runs a command with the change as JSON on stdin, and again when it fails", async () => {
    const [tried, out] = [join(folder, "tried"), join(folder, "out")];
    const script = `test -e ${tried} || { touch ${tried}; exit 3; }; cat > ${out}.json; echo "$CENSUS_CHANGE_ADDED $CENSUS_CHANGE_REMOVED $CENSUS_CHANGE_SEQUENCE $CENSUS_CHANGE_ID" > ${out}; echo aside`;
    const exec = watch(nodesOf("exec"), "--exec", script, "--cursor", join(folder, "exec.cursor"));
    await watching(exec);
    await addNode("exec-0");
    await expect.poll(() => exec.rows().length).toBe(1);
    expect(exec.stderr()).toContain("census: change 1 was not delivered: --exec returned 3; trying again\n");
    expect(exec.stderr()).toContain("aside\n");
    const change = JSON.parse(readFileSync(`${out}.json`, "utf8")) as Record<string, unknown>;
    expect(change).toMatchObject({ sequence: 1, query: nodesOf("exec"), added: [{ certname: "exec-0" }], removed: [] });
    expect(readFileSync(out, "utf8")).toBe(`1 0 1 ${String(change["id"])}\n`);
    await exec.end();
  });

  it("posts signed changes, and tries again with the same id and a new time", async () => {
    await using receiver = await startReceiver(SECRET);
    let failures = 2;
    receiver.answer = () => (failures-- > 0 ? 503 : 204);
    const secret = join(folder, "secret");
    writeFileSync(secret, `whsec_${Buffer.from(SECRET).toString("base64")}\n`);
    const hook = watch(nodesOf("hook"), "--webhook", receiver.url, "--secret", secret);
    await watching(hook);
    await addNode("hook-0");
    await expect.poll(() => hook.rows().length).toBe(1);
    await hook.end();
    expect(receiver.deliveries).toHaveLength(3);
    expect(new Set(receiver.deliveries.map(({ id }) => id)).size).toBe(1);
    const times = receiver.headers.map((headers) => Number(headers["webhook-timestamp"]));
    expect(times.at(-1)).toBeGreaterThan(times[0] ?? Infinity);
    expect(hook.stderr()).toContain(`was not delivered: ${receiver.url} returned HTTP 503; trying again`);
  });

  it("posts to a receiver whose certificate a private CA signed, with that CA alone", async () => {
    const authority = createAuthority("Site CA");
    await using receiver = await startReceiver(SECRET, authority.issue({ name: "receiver", at: ["127.0.0.1"] }));
    const cacert = join(folder, "ca.pem");
    writeFileSync(cacert, authority.cert);
    const words = ["watch", nodesOf("tls"), "--url", server.url, "--once", "--initial", "--webhook", receiver.url];
    await addNode("tls-0");
    const trusted = await census([...words, "--cursor", join(folder, "tls.cursor"), "--webhook-cacert", cacert], {
      env,
    });
    expect(trusted).toMatchObject({ code: 0, stderr: "" });
    expect(receiver.deliveries).toMatchObject([{ added: [{ certname: "tls-0" }] }]);
    const untrusted = watch(nodesOf("tls"), "--initial", "--webhook", receiver.url);
    await expect
      .poll(untrusted.stderr)
      .toContain(
        `${receiver.url}: the server certificate is signed by an unknown CA; name the CA with --webhook-cacert`,
      );
    await killed(untrusted);
    expect(receiver.deliveries).toHaveLength(1);
  });

  it("delivers a change again after a kill before the receiver has answered", async () => {
    await using receiver = await startReceiver(SECRET);
    const cursor = join(folder, "killed.cursor");
    const words = ["--webhook", receiver.url, "--cursor", cursor];
    const first = watch(nodesOf("kill"), ...words);
    await watching(first);
    const base = readFileSync(cursor, "utf8");
    receiver.answer = async () => {
      first.child.kill("SIGKILL");
      await first.ended;
      return 204;
    };
    await addNode("kill-0");
    await expect.poll(() => receiver.deliveries.length).toBe(1);
    expect(await first.ended).toBeNull();
    expect(readFileSync(cursor, "utf8")).toBe(base);

    receiver.answer = () => 204;
    const second = watch(nodesOf("kill"), ...words);
    await expect.poll(() => second.rows().length).toBe(1);
    await addNode("kill-1");
    await expect.poll(() => second.rows().length).toBe(2);
    expect(await second.end()).toBe(0);
    const [before, again, next] = receiver.deliveries;
    expect(receiver.deliveries).toHaveLength(3);
    expect(again).toMatchObject({ id: before?.id, sequence: 1, added: [{ certname: "kill-0" }] });
    expect(next).toMatchObject({ sequence: 2, added: [{ certname: "kill-1" }], removed: [] });
  });

  it("loses no row that no receiver has handled, whenever it is killed", async () => {
    await using receiver = await startReceiver(SECRET);
    const cursor = join(folder, "kills.cursor");
    const words = ["--webhook", receiver.url, "--cursor", cursor, "--initial"];
    const handled = new Set<unknown>();
    const handle = ({ added }: Delivery): void => {
      for (const { certname } of added) handled.add(certname);
    };
    const names = Array.from({ length: 8 }, (_, index) => `kills-${index}`);
    for (const [index, name] of names.entries()) {
      await addNode(name);
      const running = watch(nodesOf("kills"), ...words);
      receiver.answer = async (delivery) => {
        // Every other one is lost in the receiver; the sender is killed before or after the answer.
        const isLost = index % 2 === 0;
        if (!isLost) handle(delivery);
        if (isLost || index % 4 === 1) await killed(running);
        else setTimeout(() => void killed(running), 10 * index);
        return isLost ? 503 : 204;
      };
      await running.ended;
    }
    receiver.answer = (delivery) => {
      handle(delivery);
      return 204;
    };
    await addNode("kills-last");
    const last = watch(nodesOf("kills"), ...words);
    await expect.poll(() => handled.size).toBe(names.length + 1);
    await expect
      .poll(() => JSON.parse(readFileSync(cursor, "utf8")) as unknown)
      .toMatchObject({
        rows: Array.from({ length: names.length + 1 }, () => ({ certname: expect.any(String) as string })),
      });
    await last.end();
  });

  it("finishes a delivery that has begun when it gets SIGTERM", async () => {
    await using receiver = await startReceiver(SECRET);
    const cursor = join(folder, "ended.cursor");
    const ended = watch(nodesOf("ended"), "--webhook", receiver.url, "--cursor", cursor);
    await watching(ended);
    receiver.answer = async () => {
      ended.child.kill("SIGTERM");
      await new Promise((resolve) => setTimeout(resolve, 500));
      return 204;
    };
    await addNode("ended-0");
    expect(await ended.ended).toBe(0);
    expect(receiver.deliveries).toHaveLength(1);
    expect(JSON.parse(readFileSync(cursor, "utf8"))).toMatchObject({ sequence: 1, rows: [{ certname: "ended-0" }] });
  });

  it("watches SQL where the server allows it, and AST", async () => {
    const sql = watch("SELECT count(*) AS nodes FROM nodes WHERE certname LIKE 'sql-%'", "--sql");
    const ast = watch('["from", "nodes", ["extract", ["certname"], ["~", "certname", "^sql-"]]]');
    await Promise.all([watching(sql), watching(ast)]);
    await addNode("sql-0");
    await expect.poll(() => sql.rows().length).toBe(2);
    expect(sql.rows()).toMatchObject([
      { change: "removed", row: { nodes: 0 } },
      { change: "added", row: { nodes: 1 } },
    ]);
    await expect.poll(() => ast.rows()).toMatchObject([{ change: "added", row: { certname: "sql-0" } }]);
    await Promise.all([sql.end(), ast.end()]);
  });

  it("compares an archive once with a cursor", async () => {
    const cursor = join(folder, "archive.cursor");
    const words = ["watch", 'nodes[certname] { latest_report_status = "failed" }', "--once", "--cursor", cursor];
    const first = await census([...words, "--archive", SAMPLE, "--initial"]);
    const { stdout } = await census(["query", words[1] ?? "", "--archive", SAMPLE, "--output", "json"]);
    const failed = (JSON.parse(stdout) as { certname: string }[]).map(({ certname }) => certname);
    const lines = first.stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { change: string; row: { certname: string } });
    expect(first).toMatchObject({ code: 0, stderr: "" });
    expect(lines.map(({ row }) => row.certname)).toEqual(failed);
    expect(await census([...words, "--archive", SAMPLE])).toEqual({ code: 0, stdout: "", stderr: "" });
  });

  const damaged = join(folder, "damaged.cursor");
  writeFileSync(damaged, '{"version":1,"query":"nodes{}"');
  const other = join(folder, "other.cursor");
  writeFileSync(other, '{"version":1,"query":"facts{}","sql":false,"sequence":1,"rows":[]}');
  it.each<[words: string[], code: number, message: string]>([
    [["--every", "0"], 2, "--every must be a duration"],
    [["--once"], 2, "--once needs --cursor FILE"],
    [["--webhook", "ftp://x", "--secret", "x"], 2, "--webhook must be a URL"],
    [
      ["--webhook", "http://x"],
      2,
      "--webhook needs a secret to sign with, in --secret FILE or in CENSUS_WEBHOOK_SECRET",
    ],
    [["--webhook", "http://x", "--secret", "/nowhere"], 1, "--secret: /nowhere: cannot be read"],
    [["--webhook", "http://x", "--exec", "true"], 2, "--exec and --webhook cannot be used together"],
    [["--secret", "x"], 2, "--secret needs --webhook"],
    [["--webhook-cacert", "x"], 2, "--webhook-cacert needs --webhook"],
    [["--webhook", "http://x", "--webhook-cacert", "x"], 2, "--webhook-cacert needs a --webhook of https"],
    [["--cursor", damaged], 1, "is not a cursor of census watch"],
    [["--cursor", other], 2, "belongs to another query"],
    [["--archive", SAMPLE], 2, "an archive or a data directory does not change"],
    [["--url", "http://127.0.0.1:9"], 1, "connection refused"],
  ])("refuses %j", async (words, code, message) => {
    const run = await census(["watch", "nodes{}", ...words]);
    expect(run).toMatchObject({ code, stdout: "" });
    expect(run.stderr).toContain(message);
  });

  it("refuses a short secret, and a query that the server refuses", async () => {
    const short = await census(["watch", "nodes{}", "--webhook", "http://x"], {
      env: { CENSUS_WEBHOOK_SECRET: "short" },
    });
    expect(short).toMatchObject({ code: 2, stdout: "" });
    expect(short.stderr).toContain("must have 16 bytes at least");
    const wrong = await census(["watch", "nodes{ nope = 1 }", "--url", server.url]);
    expect(wrong).toMatchObject({ code: 2, stdout: "" });
    expect(wrong.stderr).toContain("'nope' is not a queryable object");
  });
});

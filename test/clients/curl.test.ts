import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { run } from "./run.ts";
import { openSite, type Site } from "./site.ts";
import { canRun } from "./tools.ts";

type Who = "member" | "guest" | "stranger" | "nobody";

/** What curl ends with: the status of an answer, or its own code for why there is none. */
interface Got {
  readonly status: number;
  readonly code: number | null;
  readonly body: string;
}

async function curl(words: readonly string[]): Promise<Got> {
  const { code, stdout } = await run("curl", ["-sS", "-m", "30", "-w", "\n%{http_code}", ...words]);
  const end = stdout.lastIndexOf("\n");
  return { code, status: Number(stdout.slice(end + 1)), body: stdout.slice(0, end) };
}

describe.skipIf(!canRun("curl", ["curl", "openssl"]))("curl", () => {
  let site: Site;

  beforeAll(async () => {
    site = await openSite(["--certificate-allowlist", "allowlist"]);
  });
  afterAll(() => site[Symbol.asyncDispose]());

  function overTls(who: Who, path: string, words: readonly string[] = []): Promise<Got> {
    const { ca } = site.member;
    const own = who === "nobody" ? [] : ["--cert", site[who].cert, "--key", site[who].key];
    return curl(["--cacert", ca, ...own, ...words, site.tls + path]);
  }

  it("queries over plain HTTP, with parameters in the URL", async () => {
    const unknown = 'query=nodes[certname] { certname = "unknown.example.com" }';
    const query = ["-G", `${site.plain}/pdb/query/v4`, "--data-urlencode", unknown];
    expect(await curl(query)).toStrictEqual({ code: 0, status: 200, body: "[]" });
  });

  it("queries over TLS, compressed or not", async () => {
    const query = ["-G", "--data-urlencode", 'query=nodes[count()] { certname = "unknown.example.com" }'];
    const found = { code: 0, status: 200, body: '[{"count":0}]' };
    expect(await overTls("member", "/pdb/query/v4", query)).toStrictEqual(found);
    expect(await overTls("member", "/pdb/query/v4", [...query, "--compressed"])).toStrictEqual(found);
  });

  it("submits a command, and queries its data", async () => {
    const payload = JSON.stringify({
      certname: "curl.example.com",
      environment: "production",
      producer_timestamp: new Date().toISOString(),
      producer: "curl",
      values: { kernel: "Linux" },
    });
    const path = "/pdb/cmd/v1?command=replace_facts&version=5&certname=curl.example.com&secondsToWaitForCompletion=30";
    const sent = await overTls("member", path, ["-H", "Content-Type: application/json", "-d", payload]);
    expect(sent).toMatchObject({ code: 0, status: 200 });
    expect(await overTls("member", "/pdb/query/v4/facts/kernel/Linux")).toMatchObject({
      status: 200,
      body: expect.stringContaining('"curl.example.com"') as string,
    });
    // The type that curl gives a body by default.
    expect(await overTls("member", path, ["-d", payload])).toMatchObject({ status: 415 });
  });

  it("gets an error if its name is not on the allowlist", async () => {
    const { status, body } = await overTls("guest", "/pdb/query/v4/nodes");
    expect(status).toBe(403);
    expect(body).toMatch(
      /^Permission denied: The client certificate name guest\.example\.com doesnt appear in the certificate allowlist\./,
    );
  });

  it("reads the status and metrics with any valid certificate", async () => {
    expect(await overTls("guest", "/status/v1/simple")).toMatchObject({ status: 200, body: "running" });
    expect(await overTls("guest", "/metrics/v2/version")).toMatchObject({ status: 200 });
    expect(await curl([`${site.plain}/status/v1/simple`])).toMatchObject({ status: 200 });
    expect(await curl([`${site.plain}/metrics/v2/version`])).toMatchObject({ status: 403 });
  });

  it.each<[what: string, who: Who, words: readonly string[]]>([
    ["no certificate", "nobody", []],
    ["a certificate of another authority", "stranger", []],
    ["no certificate, in TLS 1.2", "nobody", ["--tls-max", "1.2"]],
    ["TLS 1.1", "member", ["--tlsv1.0", "--tls-max", "1.1", "--ciphers", "DEFAULT@SECLEVEL=0"]],
    ["a suite without forward secrecy", "member", ["--tls-max", "1.2", "--ciphers", "AES256-GCM-SHA384"]],
  ])("gets no response with %s", async (_what, who, words) => {
    const { status, code } = await overTls(who, "/status/v1/simple", words);
    expect(status).toBe(0);
    expect(code).not.toBe(0);
  });

  it("rejects a server whose certificate is of another authority", async () => {
    expect(await curl(["--cacert", site.stranger.cert, `${site.tls}/status/v1/simple`])).toMatchObject({ code: 60 });
  });
});

import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { RequestFacts } from "#app/access/facts.ts";
import { policed, readPolicy } from "#app/access/policy.ts";
import { readPrincipal } from "#app/access/principals.ts";
import type { Subject } from "#app/access/subject.ts";
import { temporaryFolder } from "#test/fixture-folder.ts";
import { plain, tls } from "./requests.ts";

const token: Subject = { kind: "token", name: "ci", may: new Set(["query"]), role: "reader" };
const alice: Subject = { kind: "sso", name: "alice", groups: ["ops", "dev-web"], role: "operator" };
const by = (subject: Subject): RequestFacts => tls("/pdb/query/v4", { subject });
const named = (certname: string): RequestFacts => tls("/pdb/query/v4", { certname });

describe("the subjects of a rule", () => {
  it.each<[text: string, facts: RequestFacts, admitted: boolean]>([
    ["any", plain("/", { address: "10.0.0.1" }), true],
    ["any", tls("/"), true],
    ["loopback", plain("/"), true],
    ["loopback", plain("/", { address: "10.0.0.1" }), false],
    ["loopback", tls("/", { address: "::1", certname: "web.example.com" }), true],
    // a proxy on this machine
    ["loopback", tls("/", { address: "::1" }), false],
    ["loopback", plain("/", { isForwarded: true }), false],
    ["any", plain("/", { isForwarded: true }), true],
    ["web.example.com", named("web.example.com"), true],
    ["web.example.com", named("webxexample.com"), false],
    ["web.example.com", named("web.example.com.evil"), false],
    ["web.example.com", named("Web.example.com"), false],
    ["web.example.com", plain("/"), false],
    ["web.example.com", tls("/"), false],
    ["*", named("web.example.com"), true],
    ["*", tls("/"), false],
    ["*", plain("/"), false],
    ["*.example.com", named("web.example.com"), true],
    ["*.example.com", named("a.b.example.com"), true],
    ["*.example.com", named("example.com"), false],
    ["*.example.com", named("web.example.com.evil"), false],
    ["web?", named("web1"), true],
    ["web?", named("web12"), false],
    ["a+(b)", named("a+(b)"), true],
    ["any", named("any"), true],
    ["/web\\d+/", named("web12"), true],
    ["/web/", named("evil-web"), false],
    ["/web|db/", named("db"), true],
    ["/web|db/", named("db-evil"), false],
    ["/^web$/", named("web"), true],
    ["/.*/", tls("/"), false],
    ["token:ci", by(token), true],
    ["token:c*", by(token), true],
    ["token:c", by(token), false],
    ["token:ci", named("token:ci"), false],
    ["/token:ci/", named("token:ci"), true],
    ["/token:ci/", by(token), false],
    ["*", by(token), false],
    ["user:ci", by(token), false],
    ["role:reader", by(token), true],
    ["role:admin", by(token), false],
    ["signed-in", by(token), false],
    ["any", by(token), true],
    ["signed-in", by(alice), true],
    ["sso:alice", by(alice), true],
    ["user:alice", by(alice), false],
    ["proxy:alice", by(alice), false],
    ["token:alice", by(alice), false],
    ["sso:*", by(alice), true],
    ["group:ops", by(alice), true],
    ["group:op", by(alice), false],
    ["group:dev-*", by(alice), true],
    ["role:operator", by(alice), true],
    ["role:reader", by(alice), false],
    ["role:reader", by({ ...alice, role: undefined }), false],
    ["group:*", by({ ...alice, groups: [] }), false],
    ["alice", by(alice), false],
    // with both, the token decides
    ["web.example.com", { ...by(token), certname: "web.example.com" }, false],
    // other words with a colon are certificates
    ["host:web", named("host:web"), true],
  ])("include the client or not: %s, %o: %s", (text, facts, admitted) => {
    expect(readPrincipal(text)(facts)).toBe(admitted);
  });

  it.each(["", "role:root", "token:", "two names", "a/b", "/", "/(/", "/a)|(?:b/"])("%j is an error", (text) => {
    expect(() => readPrincipal(text)).toThrow(/./);
  });
});

/** Writes a policy and reads it. */
async function read(content: unknown) {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "policy.json");
  await writeFile(path, typeof content === "string" ? content : JSON.stringify(content));
  return { path, policy: await readPolicy(path).catch((error: unknown) => error as Error) };
}

describe("a policy", () => {
  it.each<[facts: RequestFacts, allowed: boolean]>([
    [named("web.example.com"), true],
    [named("web.example.org"), false],
    [plain("/pdb/query/v4"), true],
    [plain("/pdb/query/v4", { address: "10.0.0.1" }), false],
    [tls("/pdb/cmd/v1", { certname: "puppet" }), true],
    [tls("/pdb/cmd/v1", { certname: "web.example.com" }), false],
    [plain("/pdb/cmd/v1"), false],
    [plain("/status/v1/simple", { address: "10.0.0.1" }), true],
    // an empty list, a family without one, a path without a family
    [tls("/pdb/admin/v1/cmd", { certname: "puppet" }), false],
    [tls("/pdb/admin/v1/archive", { certname: "puppet" }), false],
    [plain("/metrics/v2/list"), false],
    [plain("/nonsense"), false],
  ])("%o: %s", async (facts, allowed) => {
    const { policy } = await read({
      query: ["*.example.com", "loopback"],
      command: ["puppet"],
      status: ["any"],
      admin: [],
    });
    if (policy instanceof Error) throw policy;
    expect(policed(policy)(facts) === undefined).toBe(allowed);
  });

  it.each<[content: unknown, problem: RegExp]>([
    ["{", / is not valid JSON: /],
    [[], /: expected an object with a list for each family: query, command, .*$/],
    [{ queries: [] }, /: unknown family "queries"; use query, command, .*$/],
    [
      { query: "any" },
      /: query: expected a list of certificate names or patterns, tokens or people; see docs\/access\.md$/,
    ],
    [{ query: ["any", 1] }, /: query\[1\]: expected a string$/],
    [{ admin: ["two names"] }, /: admin\[0\]: "two names": expected a certificate name without spaces and slashes$/],
    [{ admin: ["/(/"] }, /: admin\[0\]: "\/\(\/": Invalid regular expression/],
  ])("is rejected with the error and its place: %j", async (content, problem) => {
    const { path, policy } = await read(content);
    expect(policy).toMatchObject({ code: "bad-file", message: expect.stringMatching(problem) });
    expect((policy as Error).message).toContain(`authorization-policy: ${path}`);
  });
});

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createAuthority } from "#test/certificates.ts";
import { census, SAMPLE, workFolder } from "#test/cli/census.ts";
import type { Running } from "#test/running.ts";
import { browse, describeInBrowser } from "./browser.ts";
import { placesOf, subjectsOf } from "./places.ts";
import { serveFolder } from "./serve.ts";

const folder = workFolder();
const authority = createAuthority("Site CA");
const listed = authority.issue({ name: "workstation.example.com" });
const unlisted = authority.issue({ name: "stranger.example.com" });

function file(name: string, content: string): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

let server: Running | undefined;
let url: string;

describeInBrowser("over TLS with client certificates", () => {
  beforeAll(async () => {
    const own = authority.issue({ name: "census.example.com", at: ["127.0.0.1"] });
    const data = join(folder, "data");
    const { code, stderr } = await census(["import", SAMPLE, "--data", data]);
    if (code !== 0) throw new Error(stderr);
    const tls = ["--ssl-host", "127.0.0.1", "--ssl-port", "0", "--ssl-ca-cert", file("ca.pem", authority.cert)];
    const identity = ["--ssl-cert", file("own.pem", own.cert), "--ssl-key", file("own.key", own.key)];
    const allowlist = ["--certificate-allowlist", file("allowed", "workstation.example.com\n")];
    server = await serveFolder(data, ...tls, ...identity, ...allowlist, "--now", "2026-11-20T12:00:00Z");
    url = / and (https:\S+)/.exec(server.said())?.[1] ?? "";
  });
  afterAll(async () => server?.stop());

  it("a browser with a listed certificate sees every page", async () => {
    await using visit = await browse(`${url}/explorer/nodes`, { certificate: listed });
    expect(await visit.text()).toContain("historian-0010");
    // What the pages are about is requested without TLS, where the server listens on the loopback only.
    const subjects = await subjectsOf(server?.url ?? "");
    const first = Map.groupBy(placesOf(subjects), ({ page }) => page);
    for (const [{ path } = { path: "" }] of first.values()) {
      await visit.follow(path);
      expect({ path, alerts: await visit.alerts() }).toStrictEqual({ path, alerts: [] });
      expect(await visit.page.locator("main h1").innerText()).not.toBe("");
    }
  });

  it("one with a certificate that is not listed is refused", async () => {
    const expected = [/status of 403/, /favicon/];
    await using visit = await browse(`${url}/explorer`, { certificate: unlisted, settles: false, expected });
    expect(await visit.page.locator("body").innerText()).toMatch(/^Permission denied: The client certificate/);
  });

  it("one without a certificate gets no connection", async () => {
    await expect(browse(`${url}/explorer`)).rejects.toThrow(
      /ERR_BAD_SSL_CLIENT_AUTH_CERT|ERR_CONNECTION|ERR_SOCKET_NOT_CONNECTED|ERR_SSL/,
    );
  });
});

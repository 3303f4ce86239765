import { writeFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ServiceState } from "#app/status/service-state.ts";
import { emptyStore } from "#test/fixture-store.ts";
import { send } from "#test/app/listeners/site.ts";
import { serveWithAccess, until } from "#test/app/sign-in/served.ts";
import { freePort } from "#test/free-port.ts";
import { healthy, serveMetrics, type ServedMetrics } from "#test/app/metrics/fixture-metrics.ts";

let service: ServedMetrics;
beforeAll(async () => {
  service = await serveMetrics(await emptyStore());
});
afterAll(() => service.close());

const puppetdb = {
  service_version: "8.8.1",
  service_status_version: 1,
  detail_level: "info",
  state: "running",
  status: {
    "maintenance_mode?": false,
    queue_depth: 0,
    "read_db_up?": true,
    "write_db_up?": true,
    "write_dbs_up?": true,
    write_db: { default: { "up?": true } },
  },
  active_alerts: [],
};
const statusService = {
  service_version: "1.1.1",
  service_status_version: 1,
  detail_level: "info",
  state: "running",
  status: {},
  active_alerts: [],
};

describe("the status of a running service", () => {
  // oracle/golden/services.ndjson, and the order of keys of reference/metrics.md §7
  it.each([
    ["/services", { "puppetdb-status": puppetdb, "status-service": statusService }],
    ["/services/puppetdb-status", { ...puppetdb, service_name: "puppetdb-status" }],
    ["/services/status-service", { ...statusService, service_name: "status-service" }],
    [
      "/services/puppetdb-status?level=critical",
      { ...puppetdb, detail_level: "critical", service_name: "puppetdb-status" },
    ],
  ])("%s", async (path, expected) => {
    const answer = await service.get(`/status/v1${path}`);
    expect(answer.status).toBe(200);
    expect(answer.headers["content-type"]).toBe("application/json;charset=utf-8");
    expect(answer.text).toBe(JSON.stringify(expected));
  });

  it("includes the process at level debug", async () => {
    const { text } = await service.get("/status/v1/services/status-service?level=debug");
    const { status } = JSON.parse(text) as { status: { experimental: { "jvm-metrics": Record<string, unknown> } } };
    const figures = status.experimental["jvm-metrics"];
    expect(Object.keys(figures)).toEqual(
      expect.arrayContaining(["cpu-usage", "gc-cpu-usage", "up-time-ms", "start-time-ms", "memory-pools", "gc-stats"]),
    );
    for (const memory of ["heap-memory", "non-heap-memory"]) {
      expect(Object.keys(figures[memory] as object)).toEqual(["committed", "init", "max", "used"]);
    }
  });

  it.each(["/simple", "/simple/puppetdb-status", "/simple/status-service"])("%s", async (path) => {
    const answer = await service.get(`/status/v1${path}`);
    expect(answer).toMatchObject({ status: 200, text: "running" });
    expect(answer.headers["content-type"]).toBe("text/plain;charset=utf-8");
  });
});

describe("an invalid status request", () => {
  it.each([
    ["/services/nope", 404, { kind: "service-not-found", msg: "No status information found for service nope" }],
    ["/services?level=bogus", 400, { kind: "data-invalid", msg: "Invalid level: :bogus" }],
    ["/services/puppetdb-status?level=bogus", 400, { kind: "data-invalid", msg: "Invalid level: :bogus" }],
    [
      "/services?timeout=0",
      400,
      { kind: "data-invalid", msg: "Invalid timeout. Timeout must be greater than zero but was 0" },
    ],
    ["/services?timeout=x", 400, { kind: "data-invalid", msg: "Invalid timeout. Should be an integer but was x" }],
  ])("%s: %i", async (path, status, body) => {
    const answer = await service.get(`/status/v1${path}`);
    expect(answer).toMatchObject({ status, text: JSON.stringify(body) });
  });

  it("returns plain text in the simple form", async () => {
    expect(await service.get("/status/v1/simple/nope")).toMatchObject({ status: 404, text: "not found: nope" });
  });

  it.each(["POST", "PUT", "DELETE", "HEAD"])("%s is forbidden", async (method) => {
    const answer = await service.send(method, "/status/v1/services");
    expect(answer.status).toBe(403);
    expect(answer.headers["content-type"]).toBe("text/plain;charset=utf-8");
  });
});

function noQueue(): number {
  throw new Error("no queue");
}

describe("the status of a service that is not running", () => {
  const cases: readonly (readonly [why: string, state: Partial<ServiceState>, word: string])[] = [
    ["it is being brought up to date", { isInMaintenance: () => true }, "starting"],
    ["commands of an earlier process are being stored", { isCatchingUp: () => true }, "starting"],
    [
      "they cannot be stored",
      { isCatchingUp: () => true, writesWork: () => Promise.resolve(false), problem: () => "full" },
      "error",
    ],
    ["the store cannot be read", { readsWork: () => Promise.resolve(false) }, "error"],
    ["the store cannot be written", { writesWork: () => Promise.resolve(false) }, "error"],
    ["looking fails", { readsWork: () => Promise.reject(new Error("closed")) }, "error"],
    ["the queue cannot be read", { queueDepth: noQueue }, "unknown"],
  ];
  it.each(cases)("since %s: %s %s", async (_, state, word) => {
    const ill = await serveMetrics(await emptyStore(), { ...healthy, ...state });
    try {
      const { status, text } = await ill.get("/status/v1/services/puppetdb-status");
      expect(status).toBe(503);
      expect(JSON.parse(text)).toMatchObject({ state: word });
      expect(await ill.get("/status/v1/simple")).toMatchObject({ status: 503, text: word });
      expect(await ill.get("/status/v1/simple/status-service")).toMatchObject({ status: 200, text: "running" });
      expect(await ill.get("/status/v1/services")).toMatchObject({ status: 503 });
    } finally {
      await ill.close();
    }
  });

  it("is unknown if it takes longer than the timeout", async () => {
    const never = new Promise<boolean>(() => undefined);
    const slow = await serveMetrics(await emptyStore(), { ...healthy, readsWork: () => never });
    try {
      const { status, text } = await slow.get("/status/v1/services/puppetdb-status?timeout=1");
      expect(status).toBe(503);
      expect(JSON.parse(text)).toMatchObject({
        state: "unknown",
        status: "Status check timed out after 1 seconds",
      });
    } finally {
      await slow.close();
    }
  });
});

describe("tokens and people", () => {
  it("are reported at level debug, with what is wrong with the file and the provider", async () => {
    const oidc = {
      issuer: `https://127.0.0.1:${await freePort()}`,
      clientId: "census",
      clientSecretFile: undefined,
      caCert: undefined,
      scopes: "openid",
      userClaim: "preferred_username",
      groupsClaim: "groups",
      label: "Sign in with SSO",
    };
    const url = "https://127.0.0.1";
    await using served = await serveWithAccess(
      (access) => {
        access.token("ci", { may: ["status"] });
        access.user("alice");
      },
      { people: { oidc, url } },
    );
    const reported = async (level = "debug"): Promise<unknown> => {
      const { text } = await served.plain(`/status/v1/services/puppetdb-status?level=${level}`);
      return (JSON.parse(text) as { status: Record<string, unknown> }).status["sign-in"];
    };
    const counts = { tokens: 1, users: 1, sessions_begun: 0, refused: 0 };
    expect(await reported()).toEqual({ access_file: "valid", ...counts, provider: "reachable" });
    expect(await reported("info")).toBeUndefined();
    await send(served.peopleUrl, {
      path: "/sign-in/oidc",
      ca: served.site.authority.cert,
      headers: { host: "127.0.0.1" },
    });
    await writeFile(served.access.path, "{");
    await until(async () => /invalid/.test(JSON.stringify(await reported())));
    expect(await reported()).toEqual({
      access_file: expect.stringMatching(/^invalid since \S+Z: .* is not valid JSON/) as string,
      ...counts,
      refused: 1,
      provider: expect.stringMatching(/^unreachable since \S+Z: .*ECONNREFUSED/) as string,
    });
  });
});

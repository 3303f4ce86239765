import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { once } from "node:events";
import { H3 } from "h3";
import { toNodeHandler } from "h3/node";
import { type MetricsContext, metricsContext } from "#app/metrics/context.ts";
import { answerMeta } from "#app/routes/meta.ts";
import { answerMetrics } from "#app/routes/metrics.ts";
import { answerElsewhere, answerPages, answerRoot } from "#app/routes/pages.ts";
import { answerPrometheus } from "#app/routes/prometheus.ts";
import { answerStatus } from "#app/routes/status.ts";
import type { ServiceState } from "#app/status/service-state.ts";
import { Registry } from "#storage/metrics/registry.ts";
import type { Store } from "#storage/store.ts";
import { openClient } from "#test/conformance/request.ts";
import type { Answer } from "#test/conformance/recording.ts";

/** A service of nothing but metrics, status and what belongs to them, and a client that adds nothing to its requests. */
export interface ServedMetrics {
  readonly context: MetricsContext;
  readonly url: string;
  get(path: string, headers?: Record<string, string>): Promise<Answer>;
  send(method: string, path: string, body?: string, headers?: Record<string, string>): Promise<Answer>;
  /** the envelope that a GET below `/metrics/v2` answers */
  ask(path: string): Promise<Record<string, unknown>>;
  close(): Promise<void>;
}

/** All is well. */
export const healthy: ServiceState = {
  version: "8.8.1",
  isInMaintenance: () => false,
  queueDepth: () => 0,
  problem: () => undefined,
  readsWork: () => Promise.resolve(true),
  writesWork: () => Promise.resolve(true),
};

/** Serves on a free port; closing closes the store too. */
export async function serveMetrics(store: Store, state: ServiceState = healthy): Promise<ServedMetrics> {
  const context = metricsContext(store, new Registry());
  const { figures } = context;
  const app = new H3();
  app.all("/metrics", (event) => answerPrometheus(context, event));
  app.all("/metrics/v2", (event) => answerMetrics(context, event));
  app.all("/metrics/v2/**", (event) => answerMetrics(context, event));
  app.all("/status/**", (event) => answerStatus({ state, figures }, event));
  app.all("/pdb/meta/**", (event) => answerMeta(store.clock, event));
  app.all("/", () => answerRoot());
  app.all("/pdb", (event) => answerPages(context, event));
  app.all("/pdb/**", (event) => answerPages(context, event));
  app.all("/**", (event) => answerElsewhere(event));
  const handler = toNodeHandler(app);
  const server = createServer((request, response) => void handler(request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = openClient(url);
  const send: ServedMetrics["send"] = (method, path, body, headers = {}) =>
    client.send({ method, path, headers, ...(body === undefined ? {} : { body }) });
  const get: ServedMetrics["get"] = (path, headers) => send("GET", path, undefined, headers);
  return {
    context,
    url,
    send,
    get,
    ask: async (path) => JSON.parse((await get(`/metrics/v2${path}`)).text) as Record<string, unknown>,
    close: async () => {
      client.close();
      server.close();
      server.closeAllConnections();
      figures.close();
      await store.close();
    },
  };
}

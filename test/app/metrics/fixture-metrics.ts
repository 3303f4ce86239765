import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { once } from "node:events";
import { type MetricsContext, metricsContext } from "#app/metrics/context.ts";
import { defaultExplorerSettings } from "#app/explorer/settings.ts";
import { jolokiaRoutes } from "#app/routes/jolokia.ts";
import { metaRoutes } from "#app/routes/meta.ts";
import { pageRoutes } from "#app/routes/pages.ts";
import { prometheusRoutes } from "#app/routes/prometheus.ts";
import { statusRoutes } from "#app/routes/status.ts";
import type { ServiceState } from "#app/status/service-state.ts";
import { storeFigures } from "#app/status/store-figures.ts";
import { Registry } from "#storage/metrics/registry.ts";
import type { Store } from "#storage/store.ts";
import { trialHandler } from "#test/app/http/trial-handler.ts";
import { openClient } from "#test/conformance/request.ts";
import type { Answer } from "#test/conformance/recording.ts";

/** A service of nothing but metrics, status and what belongs to them, and a client that adds nothing to its requests. */
export interface ServedMetrics {
  readonly context: MetricsContext;
  readonly url: string;
  get(path: string, headers?: Record<string, string>): Promise<Answer>;
  send(method: string, path: string, body?: string, headers?: Record<string, string>): Promise<Answer>;
  /** the envelope that a GET below `/metrics/v2` answers */
  getJson(path: string): Promise<Record<string, unknown>>;
  close(): Promise<void>;
}

/** All is well. */
export const healthy: ServiceState = {
  version: "8.8.1",
  isInMaintenance: () => false,
  isCatchingUp: () => false,
  queueDepth: () => 0,
  followed: () => undefined,
  origins: () => [],
  problem: () => undefined,
  freeBytes: () => undefined,
  figures: async () => storeFigures(new Registry(), 0),
  signIn: () => undefined,
  readsWork: () => Promise.resolve(true),
  writesWork: () => Promise.resolve(true),
};

/** Serves on a free port; closing closes the store too. */
export async function serveMetrics(
  store: Store,
  state: ServiceState = healthy,
  isPerNode = false,
): Promise<ServedMetrics> {
  const context = metricsContext(store, new Registry(), { isPerNode });
  const { figures } = context;
  const handler = trialHandler([jolokiaRoutes, prometheusRoutes, statusRoutes, metaRoutes, pageRoutes], {
    store,
    metrics: context,
    status: { state, figures },
    explorer: { settings: defaultExplorerSettings },
  });
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
    getJson: async (path) => JSON.parse((await get(`/metrics/v2${path}`)).text) as Record<string, unknown>,
    close: async () => {
      client.close();
      server.close();
      server.closeAllConnections();
      figures.close();
      await store.close();
    },
  };
}

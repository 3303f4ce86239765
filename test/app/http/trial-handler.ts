import type { Access } from "#app/access/access.ts";
import { nodeHandler } from "#app/http/adapter.ts";
import type { Handler } from "#app/http/entrance.ts";
import type { FaultListener } from "#app/http/fault.ts";
import { textResponse } from "#app/http/response.ts";
import type { Fallback, RouteHandler, RouteTable } from "#app/http/route.ts";
import { Router } from "#app/http/router.ts";
import type { ListenerLog } from "#app/listeners/log.ts";
import { payloadAllowance } from "#storage/memory/allowance.ts";
import { HttpMetrics } from "#storage/metrics/families/http.ts";
import { Registry } from "#storage/metrics/registry.ts";

/** Handles requests by some routes alone; where they have no fallback for `/`, the rest is 404. */
export function trialHandler<Services>(
  tables: readonly RouteTable<Services>[],
  services: Services,
  { access = open, log = silent, onFault }: TrialOptions = {},
): Handler {
  const nothing = below<Services>("/", undefined, () => textResponse("no route", 404));
  return nodeHandler({
    router: new Router([...tables, { routes: [], fallbacks: [nothing] }], new Set(["jolokia"])),
    services,
    access,
    log,
    http: new HttpMetrics(new Registry()),
    bodies: payloadAllowance(),
    onFault,
  });
}

export interface TrialOptions {
  readonly access?: Access;
  readonly log?: ListenerLog;
  readonly onFault?: FaultListener;
}

/** Everything below a path, by any method. */
export function below<Services>(
  path: string,
  family: Fallback<Services>["family"],
  handle: RouteHandler<Services>,
): Fallback<Services> {
  return { below: path, methods: "any", family, metered: undefined, handle };
}

const open: Access = { judge: () => undefined, reload: () => Promise.resolve() };
const silent: ListenerLog = { notice: () => undefined, warn: () => undefined };

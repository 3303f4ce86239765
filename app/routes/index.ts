import type { ExplorerServices } from "../explorer/services.ts";
import type { RouteTable } from "../http/route.ts";
import { type AdminServices, adminRoutes } from "./admin.ts";
import { type ArchiveServices, archiveRoutes } from "./archive.ts";
import { type CommandServices, commandRoutes } from "./commands.ts";
import { explorerApiRoutes, explorerPageRoutes } from "./explorer.ts";
import { inventoryRoutes } from "./inventory.ts";
import { jolokiaRoutes } from "./jolokia.ts";
import { metaRoutes } from "./meta.ts";
import { type DescriptionServices, openApiRoutes } from "./openapi.ts";
import { pageRoutes } from "./pages.ts";
import { type MetricsServices, prometheusRoutes } from "./prometheus.ts";
import { type QueryServices, queryRoutes } from "./query.ts";
import { type SignInServices, signInRoutes } from "./sign-in.ts";
import { sqlRoutes } from "./sql.ts";
import { stateOverviewRoutes } from "./state-overview.ts";
import { type StatusServices, statusRoutes } from "./status.ts";

/** The services that the handlers of all routes use. */
export interface Services
  extends
    AdminServices,
    ArchiveServices,
    CommandServices,
    DescriptionServices,
    ExplorerServices,
    MetricsServices,
    QueryServices,
    SignInServices,
    StatusServices {}

/** Every route of the service, and the responses where there is none. */
export const routeTables: readonly RouteTable<Services>[] = [
  queryRoutes,
  commandRoutes,
  adminRoutes,
  archiveRoutes,
  statusRoutes,
  metaRoutes,
  stateOverviewRoutes,
  inventoryRoutes,
  sqlRoutes,
  prometheusRoutes,
  jolokiaRoutes,
  explorerPageRoutes,
  explorerApiRoutes,
  pageRoutes,
  openApiRoutes,
  signInRoutes,
];

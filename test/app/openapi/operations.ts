import { Router } from "#app/http/router.ts";
import { type DescribedOperation, openApiDocument } from "#app/openapi/document.ts";
import { routeTables } from "#app/routes/index.ts";

/** Routes of a service with every feature. */
export const router = new Router(routeTables, new Set(["explorer", "jolokia"]));

/** Its description. */
export const document = openApiDocument(router.routes);

/** An operation and where it is. */
export interface Described {
  readonly path: string;
  readonly method: string;
  readonly operation: DescribedOperation;
}

/** All of them, in their order. */
export const operations: readonly Described[] = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
);

import { type DescribedOperation, openApiDocument } from "#app/openapi/document.ts";

/** What a service with every interface describes. */
export const document = openApiDocument({ hasMetrics: true });

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

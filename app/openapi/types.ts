/** The part of OpenAPI 3.1 that the description uses. */

import type { Schema } from "#storage/shape.ts";

export type { Schema } from "#storage/shape.ts";

export interface Parameter {
  readonly name: string;
  readonly in: "query" | "path" | "header";
  readonly required?: boolean;
  readonly description: string;
  readonly schema: Schema;
  readonly example?: unknown;
}

export interface Body {
  readonly description?: string;
  readonly required?: boolean;
  /** by media type */
  readonly content: Readonly<Record<string, { readonly schema: Schema; readonly example?: unknown }>>;
}

export interface Reply {
  readonly description: string;
  readonly headers?: Readonly<Record<string, { readonly description: string; readonly schema: Schema }>>;
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>;
}

/** An operation as its family describes it; what all have in common is added for all of them (`document.ts`). */
export interface Operation {
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Body;
  /** by status */
  readonly responses: Readonly<Record<string, Reply>>;
  readonly [extension: `x-${string}`]: unknown;
}

export type Method = "get" | "post";

export type PathItem = Readonly<Partial<Record<Method, Operation>>>;

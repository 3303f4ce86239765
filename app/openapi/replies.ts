import type { Reply, Schema } from "./types.ts";

/** A reference to a schema among the components. */
export function schemaNamed(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` };
}

/** An answer in JSON. */
export function json(description: string, schema: Schema): Reply {
  return { description, content: { "application/json": { schema } } };
}

/** A response in plain text: the error, in a sentence or a few lines. */
export function plain(description: string): Reply {
  return { description, content: { "text/plain": { schema: { type: "string" } } } };
}

/** An object; those keys are always there. */
export function object(properties: Readonly<Record<string, Schema>>, ...required: readonly string[]): Schema {
  return { type: "object", properties, ...(required.length === 0 ? {} : { required }) };
}

/** `{"error": "…"}`, for refused commands and unknown things. */
export function error(description: string): Reply {
  return json(description, object({ error: { type: "string" } }, "error"));
}

/** The responses of the checks of Accept and Content-Type, where there are any (`app/http/negotiation.ts`). */
export const mediaReplies: Readonly<Record<"406" | "415", Reply>> = {
  "406": json("The Accept header names nothing that is answered", schemaNamed("problem")),
  "415": json("The body's type is not application/json", schemaNamed("problem")),
};

import { z } from "zod";

/** A line of oracle/golden-openvoxdb/queries.jsonl (reference/query.md §12). Other keys are refused. */
export const observedLine = z.strictObject({
  method: z.string(),
  path: z.string(),
  params: z.record(z.string(), z.string()).default({}),
  headers: z.record(z.string(), z.string()).default({}),
  body: z.unknown().optional(),
  status: z.number(),
  content_type: z.string(),
  x_records: z.number().optional(),
  json: z.unknown().optional(),
  text: z.string().optional(),
});

/** One observed request with its answer; a missing `json` and `text` means that only the status was kept. */
export type ObservedLine = z.infer<typeof observedLine>;

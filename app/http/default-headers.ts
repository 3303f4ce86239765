import { contentType } from "./response.ts";

/** Headers of every response whose route sets no others, those of Node and of the framework included. */
export const defaultHeaders: Readonly<Record<string, string>> = {
  "X-Content-Type-Options": "nosniff",
  "Cache-Control": "no-store",
  "Content-Type": contentType.text,
};

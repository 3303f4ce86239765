import { contentType } from "./answer.ts";

/** What every answer carries unless its route says otherwise, Node's own and the framework's included. */
export const usualHeaders: Readonly<Record<string, string>> = {
  "X-Content-Type-Options": "nosniff",
  "Cache-Control": "no-store",
  "Content-Type": contentType.text,
};

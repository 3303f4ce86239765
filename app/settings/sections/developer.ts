import { truth } from "../kinds/simple.ts";
import { type Section, setting } from "../setting.ts";

/** `[developer]` (`reference/config.md §7`). */
export const developer = {
  about: "For development.",
  settings: {
    "pretty-print": setting({ kind: truth, default: false, help: "Indent responses unless a query says otherwise" }),
  },
  ignored: { "max-enqueued": "the queue is on disk, limited only by free space" },
} as const satisfies Section;

import { path } from "../kinds/simple.ts";
import { optional } from "../setting.ts";

/** The settings of `[census]` about tokens and people (`docs/sign-in.md`). */
export const signIn = {
  "access-file": optional({
    kind: path,
    unset: "no tokens and no users",
    help: "File of tokens, users and roles of groups, which census token and census user change (docs/sign-in.md)",
  }),
  "audit-log": optional({
    kind: path,
    unset: "the log",
    help: "Write what happens with tokens and sessions to this file, one line of JSON each",
  }),
} as const;

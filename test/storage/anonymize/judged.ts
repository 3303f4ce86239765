import { expect, it } from "vitest";
import { createAnonymizer } from "#storage/anonymize/anonymizer.ts";
import type { TextKind } from "#storage/anonymize/kinds.ts";
import { type ProfileName, profileNames } from "#storage/anonymize/profiles.ts";
import { Pseudonyms } from "#storage/anonymize/pseudonyms.ts";
import type { ArchiveCommandName } from "#storage/archive/contents.ts";
import type { Json, JsonObject } from "#storage/json.ts";
import { SALT } from "./site.ts";

/** The replacements that the tests expect. */
export const pseudonyms = new Pseudonyms(SALT);

/** What replaces a text of a kind. */
export const x = (kind: TextKind, text: string): string => pseudonyms.text(kind, text);
export const tag = (type: string): string => x("type", type).toLowerCase();

export const web = "web-01.example.com";
export const db = "db-02.example.com";
export const host = x("node", web);
export const short = host.slice(0, 10);
export const uuid = "5d5f20e7-4771-4528-8102-5c3edb66c946";

/** What comes out; a profile that is not named leaves the document as it was. */
export type Outcome = { readonly [P in ProfileName]?: Json };
export type Case = readonly [what: string, before: Json, after: Outcome];

/** The same under several profiles. */
export const by = (profiles: string, after: Json): Outcome =>
  Object.fromEntries(profiles.split(" ").map((name) => [name, after]));
export const hidden = (after: Json): Outcome => by("full moderate low", after);

/** Judges documents of a command, of which each case is the part that `wrap` puts in its place. */
export function judge(command: ArchiveCommandName, wrap: (part: Json) => JsonObject, cases: readonly Case[]): void {
  it.each(cases)("%s", (_what, before, after) => {
    for (const profile of profileNames) {
      const anonymizer = createAnonymizer({ profile, salt: SALT, certnames: [web, db] });
      const want = wrap(after[profile] ?? before);
      expect([profile, anonymizer.apply(command, wrap(before))]).toEqual([profile, want]);
    }
  });
}

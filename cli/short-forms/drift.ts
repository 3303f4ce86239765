import { CensusError } from "#storage/errors.ts";
import type { ReadRows } from "../sources/read-rows.ts";
import { eventsForm, type EventsArguments } from "./events.ts";
import type { ShortForm } from "./run.ts";

/** What `census drift` takes. */
export type DriftArguments = Omit<EventsArguments, "of"> & { readonly certname?: string | undefined };

/** Corrective changes: what differed from the state that the last run had left, the newest first. */
export function driftForm({ certname, ...args }: DriftArguments): ShortForm {
  const form = eventsForm({ ...args, of: certname, corrective: true });
  const { names } = form;
  return {
    ...form,
    name: "drift",
    // When something was changed says more than that the change was undone, as nearly all are.
    secondary: ["status"],
    names: names?.map((each) => (each.kind === "report" ? { ...each, kind: "certname" } : each)) ?? [],
    withFullName: (name) => driftForm({ ...args, certname: name }),
    whyEmpty: async (readRows) => {
      await checkStored(readRows);
      return [];
    },
  };
}

/**
 * No changes is a good answer, but only of a source that would know of them.
 * @throws CensusError "not-found" when no report says whether its changes were corrective
 */
async function checkStored(readRows: ReadRows): Promise<void> {
  const known = await readRows("reports[hash] { corrective_change is not null limit 1 }");
  if (known.length > 0) return;
  throw new CensusError(
    "not-found",
    "drift: no report says whether its changes were corrective; a server stores this with the setting store-corrective-change, an archive may have it",
  );
}

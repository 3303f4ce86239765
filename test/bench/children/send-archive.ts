import { performance } from "node:perf_hooks";
import { sendArchive } from "#cli/import/to-server.ts";
import { awaitStored } from "../awaiting.ts";
import type { Work } from "../peer/work.ts";
import { runJob } from "./job.ts";

/** The archive that a server imports, and how to see that it has finished. */
export interface SendArchiveInput {
  /** without a slash at the end */
  readonly url: string;
  readonly archive: string;
  readonly stored: Work["stored"];
}

/** How long it took, in seconds: until it was answered, and until everything can be queried. */
export interface SendArchiveOutput {
  readonly answered: number;
  readonly stored: number;
}

runJob(async ({ url, archive, stored }: SendArchiveInput): Promise<SendArchiveOutput> => {
  const started = performance.now();
  await sendArchive({ urls: [new URL(url)] }, archive);
  const answered = performance.now();
  await awaitStored(url, stored);
  return { answered: (answered - started) / 1000, stored: (performance.now() - started) / 1000 };
});

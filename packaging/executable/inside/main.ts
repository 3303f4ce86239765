import { tuneProcess } from "#app/process.ts";
import { heedHangups } from "#cli/hangup.ts";
import { run } from "#cli/run.ts";

/** Replaces `cli/main.ts` in the packaged program, whose code the loader reads. */
async function main(): Promise<void> {
  process.exitCode = await run(process.argv.slice(2));
}

heedHangups(process.argv[2]);
tuneProcess();
void main();

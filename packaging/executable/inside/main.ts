// As in `cli/main.ts`, nothing else is imported before signals are heeded.
import { heedHangups } from "#cli/hangup.ts";

/** Replaces `cli/main.ts` in the packaged program, whose code the loader reads. */
async function main(): Promise<void> {
  const { tuneProcess } = await import("#app/process.ts");
  tuneProcess();
  const { run } = await import("#cli/run.ts");
  process.exitCode = await run(process.argv.slice(2));
}

heedHangups(process.argv[2]);
void main();

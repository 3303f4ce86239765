#!/usr/bin/env node
// Nothing else is imported here: loading it takes longer than Node's own start, and a signal may come meanwhile.
import { heedHangups } from "./hangup.ts";

async function main(): Promise<void> {
  const { prepareProcess } = await import("./prepare-process.ts");
  prepareProcess();
  const [{ run }, { watchUncaught }, { endWithNpm }] = await Promise.all([
    import("./run.ts"),
    import("./uncaught.ts"),
    import("./orphan.ts"),
  ]);
  watchUncaught();
  endWithNpm();
  // Ignore a closed stderr: it must not make a command fail.
  process.stderr.on("error", () => undefined);
  process.exitCode = await run(process.argv.slice(2));
}

heedHangups(process.argv[2]);
void main();

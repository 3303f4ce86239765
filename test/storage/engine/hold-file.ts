import { Database } from "#storage/engine/database.ts";

/** Keeps a database file open until its input ends, as another process would. */
async function hold(path: string): Promise<void> {
  const database = await Database.open({ path, threads: 1 });
  process.stdout.write("open\n");
  process.stdin.resume();
  process.stdin.once("end", () => void database.close());
}

hold(process.argv[2] ?? "").catch((error: unknown) => {
  process.stderr.write(`${String(error)}\n`);
  process.exitCode = 1;
});

import { writeFileSync } from "node:fs";
import { tuneHeapSoon } from "#storage/ingest/threads/heap.ts";

/**
 * Settings of the process that a service or a command runs in; called once, before anything else is done.
 *
 * The engine's calls run in libuv's pool, as do file and zlib work; with its four threads, a few slow queries would
 * prevent an import from reading its archive. libuv reads the variable when the pool is first used.
 */
export function tuneProcess(): void {
  nameProcess();
  process.env["UV_THREADPOOL_SIZE"] ||= "16";
  tuneHeapSoon();
}

/** Node calls its main thread `MainThread`, which is what `ps`, `top`, `ss` and `pgrep` show. The words of the command stay. */
function nameProcess(): void {
  if (process.platform !== "linux") return;
  try {
    writeFileSync("/proc/self/comm", "census");
  } catch {
    // Without /proc the name remains.
  }
}

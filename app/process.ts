import { tuneHeapSoon } from "#storage/ingest/threads/heap.ts";
import { memoryBudget } from "#storage/memory/budget.ts";

/**
 * Settings of the process that a service or a command runs in; called once, before anything else is done.
 *
 * The engine's calls run on libuv's pool, beside file and zlib work; with its four threads, a few slow queries would keep
 * an import from reading its archive. Each thread keeps some memory, so there are fewer where that is scarce. libuv reads the variable when the pool is first used.
 */
export function tuneProcess(): void {
  process.env["UV_THREADPOOL_SIZE"] ||= memoryBudget().isWatched ? "6" : "16";
  tuneHeapSoon();
}

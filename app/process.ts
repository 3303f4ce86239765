import { setFlagsFromString } from "node:v8";

/**
 * Settings of the process that a service or a command runs in; called once, before anything else is done.
 *
 * - The engine's calls run on libuv's pool, beside file and zlib work; with its four threads, a few slow queries would
 *   keep an import from reading its archive. libuv reads the variable when the pool is first used.
 * - V8 would let the space for short-lived objects grow to three times 32 MB while rows stream through it. Kept at its
 *   first size it costs nothing that could be measured.
 * - Threads that start later, those that prepare commands, begin with 8 MB of it: with one they would spend a fifth of
 *   their time collecting. So small a space is collected sooner by one thread than shared out among several.
 */
export function tuneProcess(): void {
  process.env["UV_THREADPOOL_SIZE"] ||= "16";
  setFlagsFromString("--semi-space-growth-factor=1");
  setFlagsFromString("--min-semi-space-size=8");
  setFlagsFromString("--no-parallel-scavenge");
}

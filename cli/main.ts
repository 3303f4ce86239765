#!/usr/bin/env node
import { run } from "./run.ts";

// The engine's calls run on libuv's pool, beside file and zlib work; with its four threads, a few slow queries would
// keep an import from reading its archive. Read by libuv once, when the pool is first used.
process.env["UV_THREADPOOL_SIZE"] ||= "16";

async function main(): Promise<void> {
  process.exitCode = await run(process.argv.slice(2));
}

void main();

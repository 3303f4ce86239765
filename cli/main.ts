#!/usr/bin/env node
import { enableCompileCache } from "node:module";
import { join } from "node:path";
import { tuneProcess } from "#app/process.ts";
import { cacheFolder } from "./cache/place.ts";
import { heedHangups } from "./hangup.ts";

heedHangups(process.argv[2]);
tuneProcess();
// Compiling our code takes longer than most queries, so cache the result.
enableCompileCache(join(cacheFolder(), "code"));

async function main(): Promise<void> {
  const { run } = await import("./run.ts");
  process.exitCode = await run(process.argv.slice(2));
}

void main();

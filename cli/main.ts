#!/usr/bin/env node
import { tuneProcess } from "#app/process.ts";
import { run } from "./run.ts";

tuneProcess();

async function main(): Promise<void> {
  process.exitCode = await run(process.argv.slice(2));
}

void main();

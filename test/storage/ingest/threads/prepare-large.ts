/** Prepares a command that needs more memory than a thread has, between two others, and prints the results as JSON. */
import { PreparePool } from "#storage/ingest/threads/pool.ts";
import { limitMemory } from "#storage/memory/budget.ts";
import { defaultBounds } from "#storage/wire/bounds.ts";
import { a } from "#test/fixture-store.ts";

limitMemory(300_000_000);
// The threads alone do not keep the process.
const kept = setInterval(() => undefined, 1000);
const pool = new PreparePool({ threads: 1, bounds: { ...defaultBounds, factsetValues: 10_000_000 } });
const many = Array.from({ length: 500_000 }, (_, index) => index % 10);
const submissions = [a.facts("before"), a.facts("large", { values: { many } }), a.facts("after")];
const results = await pool.prepare(submissions);
await pool.close();
clearInterval(kept);
console.log(JSON.stringify(results.map((result) => ("prepared" in result ? result.prepared.certname : result))));

import { arch, cpus, loadavg, platform, totalmem } from "node:os";
import { setTimeout as delay } from "node:timers/promises";

/** What a run was measured on: enough to distinguish machines, nothing that names one. */
export function machineNow() {
  return {
    platform: `${platform()}-${arch()}`,
    processors: cpus().map(({ model }) => model),
    memory: totalmem(),
    load: loadavg(),
    node: process.version,
  };
}

/** The same in a sentence, with the day and what was compared with. */
export function conditionsOf(started: Date, peer: string | undefined): string {
  const { platform: system, processors, memory, node } = machineNow();
  const against = peer === undefined ? "" : ` PuppetDB ${peer} on the same machine.`;
  const size = `${processors.length} processors (${processors[0] ?? "unknown"}), ${Math.round(memory / 2 ** 30)} GB`;
  return `${started.toISOString().slice(0, 10)}; ${size}, ${system}, Node.js ${node}.${against}`;
}

/** How long after its last command Census has released the memory that only commands need, ms. */
export const SETTLED = 15_000;

/** A machine that does less than this part of what it could is at rest. */
const REST = 0.08;

/** How long it is looked at, ms, and how often at most. */
const LOOK = 250;
const LOOKS = 40;

/** Waits until the machine has done what the last measurement left to do, but no longer than ten seconds. */
export async function atRest(): Promise<void> {
  let before = ticks();
  for (let look = 0; look < LOOKS; look++) {
    await delay(LOOK);
    const now = ticks();
    const busy = (now.busy - before.busy) / (now.all - before.all);
    if (busy < REST) return;
    before = now;
  }
}

function ticks(): { busy: number; all: number } {
  let [busy, all] = [0, 0];
  for (const { times } of cpus()) {
    const sum = times.user + times.nice + times.sys + times.irq + times.idle;
    all += sum;
    busy += sum - times.idle;
  }
  return { busy, all };
}

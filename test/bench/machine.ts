import { arch, cpus, loadavg, platform, totalmem } from "node:os";

/** What a run was measured on: enough to tell machines apart, nothing that names one. */
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

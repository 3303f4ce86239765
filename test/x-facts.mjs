import inspector from "node:inspector/promises";
import { mkdtempSync, rmSync } from "node:fs";
import { readdirSync, readFileSync } from "node:fs";
const tasks = () =>
  Object.fromEntries(
    readdirSync("/proc/self/task").map((t) => {
      const x = readFileSync(`/proc/self/task/${t}/stat`, "utf8");
      const n = x.slice(x.indexOf("(") + 1, x.lastIndexOf(")"));
      const f = x.slice(x.lastIndexOf(")") + 2).split(" ");
      return [t + " " + n, (+f[11] + +f[12]) * 10];
    }),
  );
import { Store } from "#storage/store.ts";
import { largeDocuments } from "#test/bench/large-documents/documents.ts";
const kind = process.argv[2] ?? "facts";
const W = +(process.argv[3] ?? 60),
  M = 40;
const threads = process.argv[4];
const dir = mkdtempSync("/tmp/x/st-");
const sub = (c) => ({
  command: c.name ?? c.command.replaceAll("_", " "),
  version: Number(c.version),
  certname: c.certname,
  payload: c.payload,
  received: BigInt(Date.now()) * 1000n,
});
const warm = largeDocuments(kind, 100, W).commands,
  meas = largeDocuments(kind, 0, M).commands;
const s = await Store.open({ directory: dir, ...(threads === undefined ? {} : { preparingThreads: +threads }) });
async function send(list) {
  const q = [...list];
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      for (let c; (c = q.shift());) await s.submit(sub(c));
    }),
  );
}
const bytes = meas.reduce((a, c) => a + Buffer.byteLength(c.payload), 0) / 1e6;
await send(warm);
const ses = new inspector.Session();
ses.connect();
await ses.post("Profiler.enable");
await ses.post("Profiler.setSamplingInterval", { interval: 500 });
await ses.post("Profiler.start");
const k0 = tasks();
const c0 = process.cpuUsage(),
  t0 = performance.now(),
  th0 = process.threadCpuUsage?.();
await send(meas);
const c = process.cpuUsage(c0),
  w = performance.now() - t0,
  th = process.threadCpuUsage?.(th0);
const k1 = tasks();
for (const [k, v] of Object.entries(k1)) {
  const d = v - (k0[k] ?? 0);
  if (d > 20) console.log("thread", k, (d / bytes).toFixed(0), "ms/MB");
}
const { profile: p } = await ses.post("Profiler.stop");
console.log(
  kind,
  bytes.toFixed(1),
  "MB cpu",
  ((c.user + c.system) / 1000 / bytes).toFixed(0),
  "ms/MB; main",
  th ? ((th.user + th.system) / 1000 / bytes).toFixed(0) : "",
  "wall",
  (w / bytes).toFixed(0),
);
const by = new Map(p.nodes.map((x) => [x.id, x]));
const self = new Map();
p.samples.forEach((id, i) => {
  const x = by.get(id);
  const k =
    x.callFrame.functionName + " " + x.callFrame.url.split("/").slice(-2).join("/") + ":" + x.callFrame.lineNumber;
  self.set(k, (self.get(k) ?? 0) + p.timeDeltas[i] / 1000);
});
for (const [k, v] of [...self].sort((a, b) => b[1] - a[1]).slice(0, 22))
  console.log((v / bytes).toFixed(1).padStart(7) + " ms/MB", k);
await s.close();
rmSync(dir, { recursive: true });

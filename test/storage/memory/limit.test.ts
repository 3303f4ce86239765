import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { detectMemoryLimit } from "#storage/memory/limit.ts";

const MB = 1024 * 1024;
const machine = 8192 * MB;

const roots: string[] = [];
afterEach(() => {
  for (const root of roots.splice(0)) rmSync(root, { recursive: true, force: true });
});

/** A file system with these files. */
function files(contents: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(join(tmpdir(), "census-memory-"));
  roots.push(root);
  for (const [path, content] of Object.entries(contents)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), `${content}\n`);
  }
  return root;
}

const first = "35 31 0:32 / /sys/fs/cgroup/memory rw,relatime shared:9 - cgroup cgroup rw,memory";
const second = "30 24 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate";

const cases: readonly [title: string, files: Record<string, string>, megabytes: number, source: string][] = [
  ["takes the machine's memory without control groups", {}, 8192, "this machine"],
  [
    "reads memory.max of version 2",
    {
      "proc/self/cgroup": "0::/system.slice/census.service",
      "proc/self/mountinfo": second,
      "sys/fs/cgroup/system.slice/census.service/memory.max": String(512 * MB),
      "sys/fs/cgroup/system.slice/census.service/memory.high": "max",
    },
    512,
    "/sys/fs/cgroup/system.slice/census.service/memory.max",
  ],
  [
    "keeps below memory.high of version 2, at which the system slows the process down",
    {
      "proc/self/cgroup": "0::/census",
      "proc/self/mountinfo": second,
      "sys/fs/cgroup/census/memory.max": String(512 * MB),
      "sys/fs/cgroup/census/memory.high": String(384 * MB),
    },
    384,
    "/sys/fs/cgroup/census/memory.high",
  ],
  [
    "heeds the groups above its own",
    {
      "proc/self/cgroup": "0::/machine.slice/census/inner",
      "proc/self/mountinfo": second,
      "sys/fs/cgroup/machine.slice/memory.max": String(768 * MB),
      "sys/fs/cgroup/machine.slice/census/memory.max": "max",
      "sys/fs/cgroup/machine.slice/census/inner/memory.max": String(1024 * MB),
    },
    768,
    "/sys/fs/cgroup/machine.slice/memory.max",
  ],
  [
    "reads memory.limit_in_bytes of version 1",
    {
      "proc/self/cgroup": "5:cpu,cpuacct:/\n4:memory:/census\n0::/",
      "proc/self/mountinfo": `${first}\n41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw`,
      "sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712",
      "sys/fs/cgroup/memory/census/memory.limit_in_bytes": String(300 * MB),
    },
    300,
    "/sys/fs/cgroup/memory/census/memory.limit_in_bytes",
  ],
  [
    "reads the limit of groups of version 1 that lie above the mount",
    {
      "proc/self/cgroup": "4:memory:/docker/0123",
      "proc/self/mountinfo": "35 31 0:32 /docker/0123 /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory",
      "sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712",
      "sys/fs/cgroup/memory/memory.stat": `cache 1\nhierarchical_memory_limit ${600 * MB}\ntotal_cache 1`,
    },
    600,
    "/sys/fs/cgroup/memory/memory.stat",
  ],
  [
    "finds the own group of a container at the mount point",
    {
      "proc/self/cgroup": "0::/",
      "proc/self/mountinfo": "30 24 0:26 /../../kubepods/pod1 /sys/fs/cgroup ro - cgroup2 cgroup ro",
      "sys/fs/cgroup/memory.max": String(256 * MB),
    },
    256,
    "/sys/fs/cgroup/memory.max",
  ],
  [
    "reads mount points with spaces",
    {
      "proc/self/cgroup": "0::/a b",
      "proc/self/mountinfo": "30 24 0:26 / /sys/fs/control\\040groups rw - cgroup2 cgroup2 rw",
      "sys/fs/control groups/a b/memory.max": String(400 * MB),
    },
    400,
    "/sys/fs/control groups/a b/memory.max",
  ],
];

test.each(cases)("%s", (_title, contents, megabytes, source) => {
  expect(detectMemoryLimit(files(contents), machine)).toEqual({ bytes: megabytes * MB, source });
});

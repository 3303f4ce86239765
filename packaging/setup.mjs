// Installs the project's dependencies when the lock file has changed since the last time, and does nothing otherwise.
// Runs on the Node that started npm (18 or newer), before anything is installed: plain JavaScript, no dependencies.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const wanted = createHash("sha256")
  .update(readFileSync(join(root, "package-lock.json")))
  .update(`${process.platform}-${process.arch}`)
  .digest("hex");
const stamp = join(root, "node_modules", ".setup-stamp");
if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) process.exit(0);

process.stderr.write("setup: installing dependencies (npm ci)…\n");
// npm's own cli.js needs neither a shell nor npm.cmd; npm sets this for every script it runs.
const npm = process.env.npm_execpath;
const [command, args] = npm ? [process.execPath, [npm]] : [process.platform === "win32" ? "npm.cmd" : "npm", []];
const run = spawnSync(command, [...args, "ci", "--no-audit", "--no-fund", "--loglevel=error"], {
  cwd: root,
  stdio: ["ignore", 2, 2],
  shell: !npm && process.platform === "win32",
});
if (run.status !== 0) {
  rmSync(stamp, { force: true });
  process.stderr.write("setup: npm ci failed; see the lines above\n");
  process.exit(run.status ?? 1);
}
mkdirSync(dirname(stamp), { recursive: true });
writeFileSync(stamp, wanted);

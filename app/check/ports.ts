import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:net";
import { messageOf } from "#storage/errors.ts";
import { addressOf } from "../listeners/address.ts";
import { listenError } from "../listeners/listen-error.ts";
import { checkPlain } from "../listeners/plain.ts";
import type { HttpSettings } from "../settings/http.ts";
import type { Context } from "./context.ts";
import { type Finding, type Reporter, reporter } from "./finding.ts";
import { holderOf } from "./port-holder.ts";
import type { User } from "./user.ts";

interface Address {
  readonly host: string;
  readonly port: number;
}

/** Opens every port that the service listens on, and closes it again. */
export async function checkPorts(
  { plain, tls }: HttpSettings,
  people: Address | undefined,
  context: Context,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  if (plain !== undefined) {
    const report = reporter("port", context.where("jetty", "port", "host"));
    findings.push(
      await checkPort(plain, report, context.user, async () => void (await checkPlain(plain)), "port or host"),
    );
  }
  if (tls !== undefined) {
    const report = reporter("port", context.where("jetty", "ssl-port", "ssl-host"));
    findings.push(await checkPort(tls, report, context.user, () => Promise.resolve(), "ssl-port or ssl-host"));
  }
  if (people !== undefined) {
    const report = reporter("port", context.where("census", "people-port", "people-host"));
    findings.push(await checkPort(people, report, context.user, () => Promise.resolve(), "people-port or people-host"));
  }
  return findings;
}

async function checkPort(
  { host, port }: Address,
  report: Reporter,
  user: User,
  check: () => Promise<void>,
  settings: string,
): Promise<Finding> {
  const remedy = `choose another ${settings}`;
  try {
    const address = await addressOf(host, port);
    await check();
    if (!user.isSelf && user.uid !== 0 && port > 0 && port < firstFreePort()) {
      return report.error(`${host}:${port} needs root`, `${remedy}, ${firstFreePort()} or higher`);
    }
    await openAndClose(address, port);
    return report.ok(port === 0 ? `${host} is an address of this machine` : `${host}:${port} is free`);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") return report.error(reason(host, port, error), remedy);
    return taken({ host, port }, report, remedy);
  }
}

async function openAndClose(address: string, port: number): Promise<void> {
  const server = createServer();
  server.listen(port, address);
  await once(server, "listening");
  server.close();
  await once(server, "close");
}

function reason(host: string, port: number, error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  if (code === "EADDRNOTAVAIL") return `${host} is not an address of this machine`;
  if (code === "EACCES") return `${host}:${port}: permission denied`;
  return messageOf(code === undefined ? error : listenError(host, port, "", error));
}

/** The service itself may be running while its next configuration is checked. */
function taken({ host, port }: Address, report: Reporter, remedy: string): Finding {
  const holder = holderOf(port);
  const by = holder === undefined ? "another program" : `${holder.command} (PID ${holder.pid})`;
  const what = `${host}:${port} is in use by ${by}`;
  if (holder?.isService === true)
    return report.warning(what, "none needed if that is the service with this configuration");
  return report.error(what, `stop that program, or ${remedy}`);
}

/** Ports below it are for root. */
function firstFreePort(): number {
  try {
    return Number(readFileSync("/proc/sys/net/ipv4/ip_unprivileged_port_start", "utf8"));
  } catch {
    return process.platform === "win32" ? 0 : 1024;
  }
}

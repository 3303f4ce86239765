import { writeFileSync } from "node:fs";
import { archiveMembers } from "#fixtures/archive.ts";
import { COMMAND_VERSIONS, type FixtureCommand, type FixtureCommandName } from "#fixtures/population.ts";
import type { JsonObject } from "#storage/json.ts";
import { tgz } from "#test/storage/archive/build.ts";
import * as payloads from "#test/storage/wire/payloads.ts";

/**
 * A site before and after a day's work, as two archives: new kernels and another nginx on the web servers, of which one
 * fails since then; a third one has come, the database has gone.
 */
export async function writeSite(oldPath: string, newPath: string): Promise<void> {
  await writeArchive(oldPath, "2026-11-20T12:00:00Z", [
    ...webServer("web-01.example.com", before),
    ...webServer("web-02.example.com", before),
    command("replace facts", payloads.facts({ certname: "db-01.example.com" })),
  ]);
  await writeArchive(newPath, "2026-11-21T12:00:00Z", [
    ...webServer("web-01.example.com", { ...after, fails: true }),
    ...webServer("web-02.example.com", after),
    ...webServer("web-03.example.com", after),
  ]);
}

interface State {
  readonly day: string;
  readonly kernel: string;
  readonly nginx: string;
  readonly motd: string;
  readonly tags: string[];
  readonly fails: boolean;
}

const before: State = {
  day: "2026-11-20",
  kernel: "6.1.0-39-amd64",
  nginx: "1.22.1",
  motd: "Welcome.\nAsk the web team.\nGood bye.\n",
  tags: ["package", "nginx"],
  fails: false,
};

const after: State = {
  day: "2026-11-21",
  kernel: "6.1.0-40-amd64",
  nginx: "1.24.0",
  motd: "Welcome.\nAsk the platform team.\nGood bye.\n",
  tags: ["package", "nginx", "profile::web"],
  fails: false,
};

function webServer(certname: string, state: State): FixtureCommand[] {
  const at = (time: string): string => `${state.day}T${time}Z`;
  const host = certname.split(".", 1)[0] ?? "";
  const ipaddress = `192.0.2.${Number(host.slice(-2))}`;
  const values = {
    hostname: host,
    kernelrelease: state.kernel,
    networking: { hostname: host, ip: ipaddress },
    system_uptime: { days: Number(state.day.slice(-2)) },
  };
  return [
    command("replace facts", payloads.facts({ certname, producer_timestamp: at("10:00:00.000"), values })),
    command("replace catalog", catalog(certname, at("10:00:05.000"), state)),
    command("store report", report(certname, at, state)),
  ];
}

function catalog(certname: string, producerTimestamp: string, { nginx, motd, tags, day }: State): JsonObject {
  const main = payloads.classResource();
  const banner = payloads.fileResource({
    title: "/etc/motd",
    tags: ["file", "motd"],
    parameters: { ensure: "file", content: motd },
  });
  const server = payloads.fileResource({ type: "Package", title: "nginx", tags, parameters: { ensure: nginx } });
  const service = payloads.fileResource({
    type: "Service",
    title: "nginx",
    tags: ["service"],
    parameters: { ensure: "running", subscribe: "Package[nginx]" },
  });
  const resources = day === after.day ? [main, banner, server, service] : [main, banner, server];
  return payloads.catalog({
    certname,
    producer_timestamp: producerTimestamp,
    resources,
    edges: resources
      .slice(1)
      .map(({ type, title }) => payloads.edge({ target: { type: type ?? "", title: title ?? "" } })),
  });
}

function report(certname: string, at: (time: string) => string, { fails, day }: State): JsonObject {
  const started = payloads.event({
    status: "failure",
    property: "ensure",
    timestamp: at("10:00:10.000"),
    old_value: "stopped",
    new_value: "running",
    message: "change from 'stopped' to 'running' failed: address already in use",
  });
  const service = payloads.reportResource({
    resource_type: "Service",
    resource_title: "nginx",
    timestamp: at("10:00:10.000"),
    events: [started],
  });
  return payloads.report({
    certname,
    producer_timestamp: at("10:00:21.000"),
    start_time: at("10:00:06.000"),
    end_time: at("10:00:20.000"),
    configuration_version: day,
    transaction_uuid: null,
    status: fails ? "failed" : "unchanged",
    type: "agent",
    metrics: [
      { category: "events", name: "failure", value: fails ? 1 : 0 },
      { category: "time", name: "total", value: fails ? 14.5 : 9.25 },
    ],
    logs: [
      ...(fails ? [payloads.log({ level: "err", source: "/Service[nginx]", message: "address already in use" })] : []),
      payloads.log({ level: "notice", message: `Applied catalog in ${fails ? "14.50" : "9.25"} seconds` }),
    ],
    resources: fails ? [service] : [],
  });
}

function command(name: FixtureCommandName, payload: JsonObject & { certname?: unknown }): FixtureCommand {
  return { command: name, version: COMMAND_VERSIONS[name], certname: String(payload.certname), payload };
}

/** An archive of these commands. */
export async function writeArchive(
  path: string,
  timestamp: string,
  commands: readonly FixtureCommand[],
): Promise<void> {
  const members = archiveMembers((only) => commands.filter(({ command }) => command === only), { timestamp });
  writeFileSync(path, await tgz([...members].map(({ name, body }) => [name, body] as const)));
}

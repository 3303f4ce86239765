import { describe, expect, it } from "vitest";
import { shortFailure } from "#storage/display/short-failure.ts";

const of = (message: string): string => shortFailure(message, { certname: "web-01" });

describe("a failure in one line", () => {
  it.each<[what: string, message: string, short: string]>([
    [
      "leaves out the change that failed",
      "change from '0644' to '0640' failed: Operation not permitted",
      "Operation not permitted",
    ],
    [
      "keeps what failed within the reason",
      "change from 'absent' to 'present' failed: Could not update: x failed: y",
      "Could not update: x failed: y",
    ],
    ["keeps other messages", "Could not find group wheel", "Could not find group wheel"],
    [
      "leaves out what every such line says",
      "Error 500 on SERVER: Server Error: no key 'ntp' on node web-01",
      "no key 'ntp'",
    ],
    [
      "shows what a service said, not what systemd says of it",
      [
        "change from 'stopped' to 'running' failed: Systemd start for ntp failed!",
        "journalctl log for ntp:",
        "-- Logs begin at Thu 2026-11-05 09:13:22 UTC. --",
        "Nov  5 11:56:42 web-01 systemd[1]: Starting Network Time Service...",
        "Nov  5 11:56:43 web-01 ntpd[625]: bind 10.60.0.12:123: Address already in use",
        "Nov  5 11:56:43 web-01 systemd[1]: ntp.service: Main process exited, code=exited, status=1/FAILURE",
        "",
      ].join("\n"),
      "Systemd start for ntp failed! ↵ ntpd[625]: bind 10.60.0.12:123: Address already in use",
    ],
    [
      "shows what systemd said where the service said nothing",
      "Systemd start for ntp failed!\njournalctl log for ntp:\nNov 05 11:56:42 web-01 systemd[1]: ntp.service: Unit not found.\n",
      "Systemd start for ntp failed! ↵ systemd[1]: ntp.service: Unit not found.",
    ],
    [
      "leaves out the progress of package managers",
      "Execution of '/usr/bin/apt-get -q -y -o DPkg::Options::=--force-confold install ntp' returned 100: Reading package lists...\nBuilding dependency tree...\nReading state information...\nE: Unable to locate package ntp",
      "Execution of '/usr/bin/apt-get -q -y install ntp' returned 100: E: Unable to locate package ntp",
    ],
    ["of nothing", " \n ", ""],
  ])("%s", (_what, message, short) => {
    expect(of(message)).toBe(short);
  });

  it("takes time in proportion to the length of hostile messages", () => {
    const long = 1_000_000;
    expect(of(`change from ${" failed".repeat(long)}`)).toMatch(/^change from +failed/);
    expect(of(`${" ".repeat(long)}x`)).toBe("x");
    expect(of("journalctl log for a".repeat(long / 20))).toMatch(/^journalctl/);
    expect(of(`journalctl log for a:\n${"-- ".repeat(long)}`)).toBe("");
    expect(of(`Reading package lists...${" -o DPkg::Options::=".repeat(long / 20)}`)).toMatch(/^-o DPkg/);
  });
});

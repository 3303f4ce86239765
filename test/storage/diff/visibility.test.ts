import { describe, expect, it } from "vitest";
import type { DiffPart } from "#storage/diff/parts.ts";
import { type Verdict, visibilityOf, volatilePatterns } from "#storage/diff/visibility.ts";

describe("a pattern", () => {
  it.each<[glob: string, place: string, verdict: Verdict]>([
    ["uptime", "uptime", "ignored"],
    ["uptime", "uptime.days", "ignored"],
    ["uptime", "uptime[0]", "ignored"],
    ["uptime", "uptime_days", "shown"],
    ["uptime*", "uptime_days", "ignored"],
    ["uptime", "system.uptime", "shown"],
    ["*.uptime", "system.uptime", "ignored"],
    ["memory.*.used", "memory.swap.used", "ignored"],
    ["memory.*.used", "memory.swap.used_bytes", "shown"],
    ["mountpoints./var.used", "mountpoints./var.used", "ignored"],
    ["services[0]", "services[0].port", "ignored"],
    ["a+(b)?", "a+(b)?", "ignored"],
    ["a+(b)?", "aab", "shown"],
    ["File[/etc/*]::mode", "File[/etc/motd]::mode", "ignored"],
    ["File[/etc/*]", "File[/etc/motd]::mode", "ignored"],
    ["File[/etc/*]::mode", "File[/etc/motd]::model", "shown"],
    ["*", "anything\nat all", "ignored"],
  ])("%s makes %s %s", (glob, place, verdict) => {
    const judge = visibilityOf([{ part: "facts", glob }], []);
    expect(judge("facts", place)).toBe(verdict);
    expect(judge("resources", place)).toBe("shown");
    expect(judge("facts", place)).toBe(verdict);
  });
});

describe("values that always differ are recognised", () => {
  const judge = visibilityOf([{ part: "facts", glob: "memory.swap" }], volatilePatterns);
  it.each<[DiffPart, string, Verdict]>([
    ["facts", "system_uptime.seconds", "volatile"],
    ["facts", "uptime_hours", "volatile"],
    ["facts", "load_averages.1m", "volatile"],
    ["facts", "memory.system.used_bytes", "volatile"],
    ["facts", "memory.system.total", "shown"],
    ["facts", "memory.swap.used_bytes", "ignored"],
    ["facts", "mountpoints./.capacity", "volatile"],
    ["facts", "mountpoints./.size", "shown"],
    ["facts", "kernelrelease", "shown"],
    ["nodes", "catalog.version", "volatile"],
    ["nodes", "catalog.environment", "shown"],
    ["reports", "metrics.time.total", "volatile"],
    ["reports", "metrics.events.failure", "shown"],
    ["reports", "logs.notice Puppet: Applied catalog in 12.01 seconds", "volatile"],
    ["reports", "status", "shown"],
  ])("%s %s: %s", (part, place, verdict) => {
    expect(judge(part, place)).toBe(verdict);
  });
});

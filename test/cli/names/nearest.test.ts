import { expect, it } from "vitest";
import { nearestNames } from "#cli/names/nearest.ts";

const nodes = ["web-01.example.com", "web-02.example.com", "db-01.example.com", "mail.example.org"];

it.each<[given: string, names: readonly string[], near: readonly string[]]>([
  // Spelled alike, the nearest first; a name without a domain is compared without domains.
  ["web-1", nodes, ["web-01.example.com"]],
  ["WEB-01.exmaple.com", nodes, ["web-01.example.com", "web-02.example.com", "db-01.example.com"]],
  ["mail.example.com", nodes, ["mail.example.org", "db-01.example.com"]],
  // The last part of a class.
  ["ngnix", ["profile::nginx", "profile::base"], ["profile::nginx"]],
  ["profile::bsae", ["profile::nginx", "profile::base"], ["profile::base"]],
  // Those that contain it, the shortest first, behind those that are spelled alike.
  ["kernel", ["kernelversion", "kernelrelease", "os"], ["kernelrelease", "kernelversion"]],
  ["prod", ["preproduction", "production", "prob"], ["prob", "production", "preproduction"]],
  // One letter is in too many names.
  ["o", ["os", "memory", "xy"], ["os"]],
  ["nothing", nodes, []],
  ["any", [], []],
])("%j", (given, names, near) => {
  expect(nearestNames(given, names)).toStrictEqual(near);
});

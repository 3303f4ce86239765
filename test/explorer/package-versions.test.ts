import { describe, expect, it } from "vitest";
import { olderVersions, packagesOf } from "#app/explorer/pages/packages/versions.ts";

const rows = (provider: string, versions: Readonly<Record<string, number>>): Parameters<typeof packagesOf>[0] =>
  Object.entries(versions).map(([version, count]) => ({ package_name: "openssl", provider, version, count }));

/** The same on nodes with a release of an operating system. */
const on = (major: string, versions: Readonly<Record<string, number>>): Parameters<typeof packagesOf>[0] =>
  rows("dnf", versions).map((row) => ({ ...row, "facts.os.name": "AlmaLinux", "facts.os.release.major": major }));

describe("the versions of a package", () => {
  it("are in the order of the provider's tool, the newest first, and those behind it are counted", () => {
    const [dnf, apt] = packagesOf([
      ...rows("dnf", { "1:3.0.7-16.el9": 5, "1:3.0.10-2.el9": 2, "3.2.2-6.el9": 40 }),
      ...rows("apt", { "3.0.9": 1, "3.0.10": 1, "3.0.10~rc1": 4 }),
    ]);
    // An epoch is newer than none; a tilde sorts before the end.
    expect(dnf?.versions.map(({ version }) => version)).toEqual(["1:3.0.10-2.el9", "1:3.0.7-16.el9", "3.2.2-6.el9"]);
    expect(dnf).toMatchObject({ provider: "dnf", installed: 47, behind: 45 });
    expect(apt?.versions.map(({ version }) => version)).toEqual(["3.0.10", "3.0.10~rc1", "3.0.9"]);
    expect(apt).toMatchObject({ provider: "apt", installed: 6, behind: 5 });
  });

  it("are behind the newest of the same release of the operating system only", () => {
    const [openssl] = packagesOf([
      ...on("8", { "1:1.1.1k-14.el8": 30, "1:1.1.1k-12.el8": 2 }),
      ...on("9", { "1:3.2.2-6.el9": 50, "1:3.0.7-28.el9": 7, "1:1.1.1k-14.el8": 1 }),
    ]);
    expect(openssl).toMatchObject({ installed: 90, behind: 10 });
    expect(openssl?.releases.map(({ release, behind }) => [release, behind])).toEqual([
      ["AlmaLinux 9", 8],
      ["AlmaLinux 8", 2],
    ]);
    expect(openssl?.versions.find(({ version }) => version === "1:1.1.1k-14.el8")?.count).toBe(31);
  });

  it("that are spelled differently but equal are not behind each other", () => {
    expect(packagesOf(rows("apt", { "1.0-1": 3, "1.00-1": 4 }))).toMatchObject([{ installed: 7, behind: 0 }]);
  });

  it("that are older than one that somebody names are found without its epoch, and by prereleases where the order has them", () => {
    const [dnf] = packagesOf(rows("dnf", { "1:3.0.7-16.el9": 5, "1:3.0.10-2.el9": 2 }));
    expect(dnf === undefined ? [] : olderVersions(dnf, "3.0.10")).toEqual(["1:3.0.7-16.el9"]);
    const [npm] = packagesOf(rows("npm", { "2.0.0-beta.2": 1, "2.0.0": 1, "1.9.9": 1 }));
    expect(npm === undefined ? [] : olderVersions(npm, "2.0.0")).toEqual(["2.0.0-beta.2", "1.9.9"]);
  });
});

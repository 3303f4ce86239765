import { beforeAll, expect, it } from "vitest";
import { isOlder } from "#storage/package-versions/older.ts";
import { browse, describeInBrowser } from "./browser.ts";
import { csvLines, rows } from "./rows.ts";
import { serverOf } from "./serve.ts";
import { cellTexts, facetValue, rowCount, tableOf } from "./table.ts";

interface Installed {
  readonly certname: string;
  readonly package_name: string;
  readonly provider: string;
  readonly version: string;
}

const NAME = "openssl";

let url: string;
let installed: readonly Installed[];
/** The release of the operating system by node. */
let releases: ReadonlyMap<string, string>;

/** Rows by package and provider. */
function grouped(all: readonly Installed[]): Map<string, Installed[]> {
  return Map.groupBy(all, ({ package_name: name, provider }) => `${name} ${provider}`);
}

function versionsOf(own: readonly Installed[]): string[] {
  return [...new Set(own.map(({ version }) => version))];
}

/** Rows whose version is older than another one of theirs on a node with the same release of the operating system. */
function behind(own: readonly Installed[]): readonly Installed[] {
  return [...Map.groupBy(own, ({ certname }) => releases.get(certname) ?? "").values()].flatMap((some) => {
    const versions = versionsOf(some);
    return some.filter(({ version, provider }) => versions.some((other) => isOlder(version, other, provider)));
  });
}

describeInBrowser("the page of packages", () => {
  beforeAll(async () => {
    url = await serverOf("sample");
    installed = await rows<Installed>(url, "package_inventory{}");
    const facts = await rows<Record<string, string>>(
      url,
      "inventory[certname, facts.os.name, facts.os.release.major]{}",
    );
    releases = new Map(
      facts.map((row) => [
        row["certname"] ?? "",
        `${row["facts.os.name"] ?? ""} ${row["facts.os.release.major"] ?? ""}`,
      ]),
    );
  });

  it("lists each package of each provider with its installations, versions and those behind, most versions first", async () => {
    const packages = grouped(installed);
    await using visit = await browse(`${url}/explorer/packages`);
    const table = tableOf(visit.page, "Packages");
    expect(await rowCount(table)).toBe(packages.size);
    const columns = await Promise.all(Array.from({ length: 5 }, async (_, at) => cellTexts(table, at)));
    const [names = [], providers = [], counts = [], versions = [], behinds = []] = columns;
    expect(names.length).toBeGreaterThan(10);
    const expected = names.map((name, row) => {
      const own = packages.get(`${name} ${providers[row] ?? ""}`) ?? [];
      const old = behind(own).length;
      return [String(own.length), String(versionsOf(own).length), old === 0 ? "–" : String(old)];
    });
    expect(names.map((_, row) => [counts[row], versions[row], behinds[row]])).toStrictEqual(expected);
    expect(versions.map(Number)).toStrictEqual(versions.map(Number).toSorted((one, other) => other - one));
  });

  it("lists those of a provider and with a text in the name, also in an environment", async () => {
    await using visit = await browse(`${url}/explorer/packages`);
    const { page } = visit;
    const table = tableOf(page, "Packages");
    await facetValue(page, "Provider", "dnf").click();
    await page.keyboard.press("/");
    await page.keyboard.type("lib");
    const ofDnf = installed.filter(({ provider, package_name: name }) => provider === "dnf" && name.includes("lib"));
    await expect.poll(async () => rowCount(table)).toBe(grouped(ofDnf).size);
    await visit.go(`${url}/explorer/packages?env=staging`);
    const ofStaging = await rows<Installed>(
      url,
      'package_inventory{ certname in nodes[certname]{ report_environment = "staging" } }',
    );
    expect(ofStaging.length).toBeGreaterThan(0);
    expect(await rowCount(table)).toBe(grouped(ofStaging).size);
  });

  it("leads to who still runs an older version, the oldest first, and from there to the list of nodes", async () => {
    const own = installed.filter(({ package_name: name }) => name === NAME);
    const versions = versionsOf(own.filter(({ provider }) => provider === "dnf"));
    const than = versions.find((version) => versions.every((other) => !isOlder(version, other, "dnf"))) ?? "";
    const older = own.filter(({ version, provider }) => isOlder(version, than, provider));
    await using visit = await browse(`${url}/explorer/packages?q=${NAME}`);
    const { page } = visit;
    await tableOf(page, "Packages").focus();
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/explorer\/package\?/);
    await page.locator(".tabs").getByRole("link", { name: "Nodes" }).click();
    await visit.settled();
    const table = tableOf(page, "Nodes with the package");
    expect(await rowCount(table)).toBe(own.length);

    await page.keyboard.press("/");
    await page.keyboard.type(than);
    expect(older.length).toBeGreaterThan(0);
    expect(older.length).toBeLessThan(own.length);
    await expect.poll(async () => rowCount(table)).toBe(older.length);
    await visit.settled();
    const shown = await cellTexts(table, 2);
    const providers = await cellTexts(table, 3);
    const inOrder = shown.every((version, row) => {
      const provider = providers[row] ?? "";
      return provider !== providers[row - 1] || !isOlder(version, shown[row - 1] ?? "", provider);
    });
    expect(inOrder).toBe(true);
    await page.getByRole("button", { name: "Export" }).click();
    const link = await page.getByRole("menuitem", { name: "CSV", exact: true }).getAttribute("href");
    await page.keyboard.press("Escape");
    expect(await csvLines(new URL(link ?? "", url).href)).toHaveLength(older.length);

    await page.getByRole("link", { name: "Show in Nodes" }).click();
    await page.waitForURL(/\/explorer\/nodes/);
    await visit.settled();
    expect(await rowCount(tableOf(page, "Nodes"))).toBe(new Set(older.map(({ certname }) => certname)).size);
    await page.goBack();
    await visit.settled();
    expect(await rowCount(table)).toBe(older.length);
  });

  it("lists the nodes with one version when it is chosen, and all when it is chosen again", async () => {
    const own = installed.filter(({ package_name: name }) => name === NAME);
    const [{ provider, version } = { provider: "", version: "" }] = own;
    const same = own.filter((one) => one.version === version && one.provider === provider);
    await using visit = await browse(`${url}/explorer/package?name=${NAME}`);
    const { page } = visit;
    const table = tableOf(page, "Nodes with the package");
    const bar = page
      .getByRole("table", { name: `Nodes by version, ${provider}` })
      .getByRole("link", { name: version, exact: true });
    await bar.click();
    await expect.poll(async () => rowCount(table)).toBe(same.length);
    await page.locator(".tabs").getByRole("link", { name: "Versions" }).click();
    await bar.click();
    await expect.poll(async () => rowCount(table)).toBe(own.length);
  });

  it("lists the packages of a node, those behind the others of its release first", async () => {
    const certname = installed.find(({ package_name: name }) => name === NAME)?.certname ?? "";
    const own = installed.filter((one) => one.certname === certname);
    const same = installed.filter((one) => releases.get(one.certname) === releases.get(certname));
    const old = [...grouped(same).values()].flatMap(behind).filter((one) => one.certname === certname);
    await using visit = await browse(`${url}/explorer/nodes/${certname}/packages`);
    const table = tableOf(visit.page, "Packages of the node");
    expect(await rowCount(table)).toBe(own.length);
    const count = `${own.length} packages, ${old.length} behind`;
    await expect.poll(async () => visit.page.getByText(count, { exact: true }).count()).toBe(1);
    const first = new Set((await cellTexts(table, 0)).slice(0, old.length));
    expect(old.length).toBeGreaterThan(0);
    for (const name of first) expect(old.map(({ package_name: one }) => one)).toContain(name);
  });

  it("says how packages get into a store that has none", async () => {
    await using visit = await browse(`${await serverOf("empty")}/explorer/packages`);
    expect(await visit.text()).toContain("_puppet_inventory_1");
  });
});

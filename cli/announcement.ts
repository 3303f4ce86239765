import { relative } from "node:path";
import { defaultPort } from "./options.ts";

/**
 * Printed when a server is ready.
 * @param peopleUrl what people type, where the settings say so
 */
export function announceServer(urls: readonly string[], hasExplorer: boolean, peopleUrl?: string): string {
  const lines = [
    `Census is ready on ${urls.join(" and ")}`,
    ...urls.slice(0, hasExplorer ? 1 : 0).map(explorerLine),
    ...(peopleUrl === undefined ? [] : [`People sign in at ${explorerUrl(new URL(peopleUrl).origin)}`]),
  ];
  return lines.map((line) => `${line}\n`).join("");
}

/** Where the explorer is. */
export function explorerUrl(url: string): string {
  return `${url}/explorer/`;
}

/** Where it compares two archives. */
export function comparisonUrl(url: string): string {
  return `${explorerUrl(url)}compare`;
}

function explorerLine(url: string): string {
  return `Explorer: ${explorerUrl(url)}`;
}

interface ServedArchive {
  readonly archive: string;
  readonly asOf: string;
  /** The archive that it is compared with. */
  readonly against: string | undefined;
}

/** Printed when an archive is being served: the URL and three queries to copy. */
export function announceArchive(url: string, { archive, asOf, against }: ServedArchive): string {
  const source = url === `http://127.0.0.1:${defaultPort}` ? "" : ` --url ${url}`;
  return [
    `Census is ready on ${url} with ${archive} as of ${asOf}`,
    explorerLine(url),
    ...(against === undefined ? [] : [`What differs from ${against}: ${comparisonUrl(url)}`]),
    "",
    "Three queries to try in another terminal:",
    "",
    curl(`${url}/pdb/query/v4/nodes`, '["=", "latest_report_status", "failed"]'),
    curl(`${url}/pdb/query/v4`, "resources[type, count()] { group by type }"),
    `  ${programName()} query${source} 'inventory[certname, facts.os.name, facts.kernel] { order by certname limit 5 }'`,
    "",
    "Press Ctrl-C to stop.",
    "",
  ].join("\n");
}

function curl(url: string, query: string): string {
  return `  curl -sG ${url} --data-urlencode 'query=${query}'`;
}

/** How the user called this program, for commands to copy. */
function programName(): string {
  const script = process.argv[1];
  if (process.env["npm_lifecycle_event"] === "start") return "npm start --silent --";
  return script?.endsWith(".ts") === true ? `node ${relative(process.cwd(), script)}` : "census";
}

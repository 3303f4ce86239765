import { relative } from "node:path";
import { defaultPort } from "./options.ts";

/** Printed when an archive is being served: the URL and three queries to copy. */
export function announceArchive(url: string, archive: string, asOf: string): string {
  const source = url === `http://127.0.0.1:${defaultPort}` ? "" : ` --url ${url}`;
  return [
    `Census is ready on ${url} with ${archive} as of ${asOf}`,
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

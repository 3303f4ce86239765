import { describe, expect, it } from "vitest";
import { commandPage, optionsOf, optionTerms } from "#cli/help/command-page.ts";
import { renderPage } from "#cli/help/render.ts";
import { displayWidth } from "#cli/output/fit.ts";
import { commands } from "../declarations.ts";

/** The headings of a command's help that list options. */
const groups: Readonly<Record<string, readonly string[]>> = {
  events: ["OPTIONS", "SOURCE", "OUTPUT"],
  facts: ["OPTIONS", "SOURCE", "OUTPUT"],
  nodes: ["OPTIONS", "SOURCE", "OUTPUT"],
  query: ["OPTIONS", "SOURCE", "OUTPUT"],
  reports: ["OPTIONS", "SOURCE", "OUTPUT"],
  sql: ["OPTIONS", "SOURCE", "OUTPUT"],
  shell: ["OPTIONS", "SOURCE", "OUTPUT"],
  packages: ["OPTIONS", "SOURCE", "OUTPUT"],
  diff: ["OPTIONS", "SOURCE", "OUTPUT"],
  export: ["OPTIONS", "SOURCE"],
  import: ["OPTIONS", "SERVER OR DATA DIRECTORY"],
  status: ["OPTIONS", "SERVER OR DATA DIRECTORY", "OUTPUT"],
  backup: ["OPTIONS"],
  verify: ["DATA DIRECTORY", "OUTPUT"],
  "dead-letters": ["OPTIONS", "DATA DIRECTORY", "OUTPUT"],
  serve: ["OPTIONS", "SETTINGS"],
  config: ["OPTIONS", "OUTPUT", "SETTINGS"],
  open: ["OPTIONS"],
  cache: ["OPTIONS"],
};

function rendered(name: string, columns: number): string {
  const command = commands.find((each) => each.name === name);
  if (command === undefined) throw new Error(`there is no command ${name}`);
  return renderPage(commandPage(command), { columns, coloured: false });
}

it.each(Object.entries(groups))("the options of %s are below %j", (name, titles) => {
  const headings = rendered(name, 80).match(/^[A-Z][A-Z ]+$/gm) ?? [];
  expect(headings.filter((title) => title !== "ARGUMENTS" && title !== "EXAMPLES")).toStrictEqual(titles);
});

it("events lists its filters first, then where they are applied, then how the result is shown", () => {
  expect(rendered("events", 80)).toBe(`List events: current failures, a latest run, or one report

USAGE census events [OPTIONS] [OF]

ARGUMENTS

  OF  Certname, for its latest report, or report hash (default: failures in all
      latest reports)

OPTIONS

  --status failure|success|noop|skipped
                          With this status
  --resource TYPE[TITLE]  Of this resource, or of all resources of a type
  --since TIME            Since TIME or in the last DURATION (2h, 7d); searches
                          all reports
  --corrective            Corrective changes, newest first: what was changed
                          outside of Puppet; searches all reports
  --group-by resource|node|class|message
                          Count events by resource, node, class or message
                          (without its numbers and names)
  --limit N               Maximum rows

SOURCE

  --archive FILE        Query an exported archive: tar.gz, tar, zip or an
                        unpacked directory
  --data DIR            Query a data directory, read-only; no server may have it
                        open
  --url URL             Server to use, Census or PuppetDB (default: $CENSUS_URL,
                        else the service that /etc/census/conf.d configures,
                        else from --client-config, else http://127.0.0.1:8080)
  --urls URL,URL        Several servers; the first that responds is used
  --cacert FILE         CA certificate that signed the server's certificate, PEM
  --cert FILE           Client certificate, PEM
  --key FILE            Private key of the client certificate, PEM
  --token FILE          File with the authentication token
  --client-config FILE  Configuration of puppetdb_cli (default:
                        ~/.puppetlabs/client-tools/puppetdb.conf, else the one
                        in /etc/puppetlabs)
  --no-cache            Do not use the cache of opened archives
  --now TIME            Fix the clock used for node state, expiry and retention,
                        e.g. 2026-11-20T12:00:00Z; for archives and data
                        directories
  --as-of TIME          Query the state at a time, as far as changes are
                        recorded, e.g. '2026-11-18 12:00', or 2d before now

OUTPUT

  --output OUTPUT  Output format (default: table on a terminal, else json); one
                   of table, csv, csv-safe, tsv, json, ndjson, names, markdown,
                   html, parquet
  --out FILE       Write to FILE, atomically; its extension sets the format,
                   e.g. .csv
  --wide           Show all columns of a table in full, however long lines
                   become
  --no-pager       Do not show long results in a pager
  --pql            Print the query in PQL instead of running it

EXAMPLES

  census events --archive export.tgz
  census events berth-0024.tollhouse.saltmarsh.example --archive export.tgz
  census events --group-by message --archive export.tgz
  census events --resource File --since 3d --archive export.tgz --output ndjson
  census events --corrective --since 7d --archive export.tgz
  census events --archive export.tgz --out failures.html
`);
});

describe.each([80, 100, 120])("in %i columns", (columns) => {
  it.each(commands.map((command) => [command.name, command] as const))(
    "the help of %s fits, and lists every option once",
    (name, command) => {
      const text = rendered(name, columns);
      const [before = ""] = text.split("\nEXAMPLES\n");
      for (const line of before.split("\n")) expect(displayWidth(line)).toBeLessThanOrEqual(columns);
      for (const [term] of optionsOf(command).flatMap(optionTerms)) {
        const lines = before.split("\n").filter((line) => line === `  ${term}` || line.startsWith(`  ${term}  `));
        expect({ term, count: lines.length }).toStrictEqual({ term, count: 1 });
      }
    },
  );
});

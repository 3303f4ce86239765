/**
 * `docs/sql.md`, generated from the declarations of the views: `npm run docs` writes it. Tests fail if it is out of
 * date or an example does not run.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { views } from "#storage/sql/views.ts";

/** The path of the page. */
export const sqlDocs: string = join(import.meta.dirname, "../docs/sql.md");

/** Example statements, each with its purpose. */
export const sqlExamples: readonly (readonly [what: string, statement: string])[] = [
  [
    "Count nodes by kernel; a fact's value is JSON, and `->> '$'` returns its text",
    "SELECT value ->> '$' AS kernel, count(*) AS nodes\nFROM facts WHERE name = 'kernelrelease' GROUP BY ALL ORDER BY nodes DESC",
  ],
  [
    "Read parts of structured facts",
    "SELECT certname, facts ->> '$.os.name' AS os, (facts -> '$.memory.system.total_bytes')::BIGINT AS bytes\nFROM inventory ORDER BY bytes DESC NULLS LAST LIMIT 5",
  ],
  [
    "List failing resources by number of nodes",
    "SELECT resource_type, resource_title, count(DISTINCT certname) AS nodes, max(timestamp) AS last\nFROM events WHERE status = 'failure' GROUP BY ALL ORDER BY nodes DESC, last DESC LIMIT 10",
  ],
  [
    "Count runs by day and status",
    "SELECT end_time::DATE AS day, status, count(*) AS runs FROM reports GROUP BY ALL ORDER BY ALL",
  ],
  [
    "Find resources whose parameters differ between nodes",
    "SELECT type, title, count(DISTINCT parameters) AS versions FROM resources\nGROUP BY ALL HAVING versions > 1 ORDER BY versions DESC LIMIT 10",
  ],
  [
    "Find nodes where a package is older than a version",
    "SELECT certname, version FROM package_inventory\nWHERE package_name = 'openssl' AND version_key(version, provider) < version_key('1:3.2.2', provider) ORDER BY certname",
  ],
  [
    "List the oldest and the newest version of each package",
    "SELECT package_name, provider, arg_min(version, version_key(version, provider)) AS oldest,\n       arg_max(version, version_key(version, provider)) AS newest\nFROM packages GROUP BY ALL ORDER BY ALL LIMIT 10",
  ],
  [
    "Find nodes without a class",
    "SELECT certname FROM nodes ANTI JOIN (SELECT certname FROM resources WHERE type = 'Class' AND title = 'Syslog') USING (certname)",
  ],
];

export function renderSqlDocs(): string {
  return [
    "# Query with SQL",
    "",
    "`census sql` queries an archive, a data directory or a server that allows it, in DuckDB's SQL dialect. Each entity of the",
    "query language is a view with the same name and fields. Only these views are a stable interface.",
    "",
    "```console",
    "$ census sql 'SELECT status, count(*) FROM reports GROUP BY ALL' --archive export.tgz",
    "$ census sql --describe                      # list the views",
    "$ census sql --describe facts                # list the columns of one",
    "$ census sql - --data /var/lib/census --out runs.parquet < runs.sql",
    "```",
    "",
    "- Statements are read-only: one `SELECT` (or `FROM`, `WITH`, `VALUES`, `DESCRIBE`, `SUMMARIZE`, `SHOW TABLES`) at a time.",
    "  They cannot read or write files, change settings or load extensions.",
    "- Statements may use the views, and functions that only compute. Other tables, and functions that access settings, files,",
    "  logs or the process (`read_csv`, `current_setting`, `duckdb_settings`, `pg_sleep`), are refused before anything runs.",
    "- Rows are those of active nodes, as in queries; `--inactive` adds deactivated and expired nodes. `reports` has all values",
    "  of `type`, unlike a query, which returns agent reports unless it mentions `type`.",
    "- Times are `TIMESTAMP` in UTC. Values of any shape are `JSON`: `value ->> '$'` returns the text of a scalar,",
    "  `facts -> '$.os'` a part, `(…)::BIGINT` a number.",
    "- `version_key(version, provider)` is a text that sorts as the provider's tool orders versions: dpkg, rpm, RubyGems, pip or",
    "  Semantic Versioning. Keys of equal versions are equal.",
    "- If there are no rows, names that the source does not have are printed with the nearest ones: literals that the statement",
    "  compares by `=` or `IN` with a column of names (`certname`, `environment`, `package_name`, `name` of `facts`, …).",
    "- `--as-of TIME` reads the views [as of a past time](history.md#query-a-past-state); functions such as `now()` return the present time.",
    "- `--timeout SECONDS` limits the time of a statement; Ctrl-C cancels it.",
    "- A data directory can be queried while no server uses it; the server itself answers SQL where it is allowed to (below).",
    "",
    "## On a server",
    "",
    "`census sql --url URL` runs a statement on a server with `allow-sql = true` in section `[census]` ([settings](settings.md)).",
    "It is off by default. PuppetDB has nothing like it: query that in PQL or AST (`census query`), or run `census sql` on an export.",
    "",
    "- `/pdb/ext/v1/sql` has the access rules of queries (certificate allowlist, authorization policy, family `query`) and their",
    "  limits: time (`query-timeout-default`, `query-timeout-max`), the engine's memory, statements and long answers at a time. A",
    "  statement ends when its client leaves. It is logged with `log-queries`, or when it is slow.",
    "- The parameters `query`, `timeout` (seconds), `inactive` and `as_of` are in the URL of a `GET`, or in the JSON of a `POST`. The answer",
    "  is a JSON array of objects, sent as the rows are found.",
    "- Refused as well: functions that make texts or lists of any length (`repeat`, `lpad`, `rpad`, `printf`, `format`,",
    "  `bitstring`, `list_resize`, `list_transform` and list comprehensions, `list_reduce`; `range` outside of `FROM`), `replace`",
    "  with long or computed replacements, more than two encodings such as `hex`, more than 32 views, and more than 64 KB of text.",
    "- Even so, a statement can use more processor time and memory than a query in PQL: allow SQL where you trust every client",
    "  that may query.",
    "",
    "## Examples",
    ...sqlExamples.flatMap(([what, statement]) => ["", `${what}:`, "", "```sql", `${statement};`, "```"]),
    "",
    "## Views",
    ...views.flatMap(({ name, columns }) => [
      "",
      `### ${name}`,
      "",
      "| column | type |",
      "| --- | --- |",
      ...columns.map((column) => `| \`${column.name}\` | ${column.type} |`),
    ]),
    "",
  ].join("\n");
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  writeFileSync(sqlDocs, renderSqlDocs());
}

/**
 * `docs/sql.md`, its tables made of the declarations that the views are made of: `npm run docs` writes it, and tests fail
 * when it no longer says what the code does, or an example of it does not run.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { views } from "#storage/sql/views.ts";

/** Where the page lies. */
export const sqlDocs: string = join(import.meta.dirname, "../docs/sql.md");

/** Questions worth copying. */
export const sqlExamples: readonly (readonly [what: string, statement: string])[] = [
  [
    "Which kernel runs where; a fact's value is JSON, and `->> '$'` is its text",
    "SELECT value ->> '$' AS kernel, count(*) AS nodes\nFROM facts WHERE name = 'kernelrelease' GROUP BY ALL ORDER BY nodes DESC",
  ],
  [
    "Inside structured facts",
    "SELECT certname, facts ->> '$.os.name' AS os, (facts -> '$.memory.system.total_bytes')::BIGINT AS bytes\nFROM inventory ORDER BY bytes DESC NULLS LAST LIMIT 5",
  ],
  [
    "What fails, and how often",
    "SELECT resource_type, resource_title, count(DISTINCT certname) AS nodes, max(timestamp) AS last\nFROM events WHERE status = 'failure' GROUP BY ALL ORDER BY nodes DESC, last DESC LIMIT 10",
  ],
  ["Runs by day", "SELECT end_time::DATE AS day, status, count(*) AS runs FROM reports GROUP BY ALL ORDER BY ALL"],
  [
    "What resources of one type and title differ in between nodes",
    "SELECT type, title, count(DISTINCT parameters) AS versions FROM resources\nGROUP BY ALL HAVING versions > 1 ORDER BY versions DESC LIMIT 10",
  ],
  [
    "Nodes without a resource that most others have",
    "SELECT certname FROM nodes ANTI JOIN (SELECT certname FROM resources WHERE type = 'Class' AND title = 'Syslog') USING (certname)",
  ],
];

export function renderSqlDocs(): string {
  return [
    "# SQL",
    "",
    "`census sql` asks an archive or a data directory in SQL, DuckDB's dialect of it. The entities of the query language are",
    "views of the same names and fields; nothing else is needed, and nothing else is promised to stay.",
    "",
    "```console",
    "$ census sql 'SELECT status, count(*) FROM reports GROUP BY ALL' --archive export.tgz",
    "$ census sql --describe                      # the views",
    "$ census sql --describe facts                # the columns of one",
    "$ census sql - --data /var/lib/census --out runs.parquet < runs.sql",
    "```",
    "",
    "- It reads, and does nothing else: one `SELECT` (or `FROM`, `WITH`, `VALUES`, `DESCRIBE`, `SUMMARIZE`, `SHOW TABLES`) at a",
    "  time, in a transaction that only reads. No files are read or written, no settings changed, nothing is loaded.",
    "- It reads the views, and uses functions that only compute. Other tables, and functions that show or change settings,",
    "  files, logs or the process (`read_csv`, `current_setting`, `duckdb_settings`, `pg_sleep`), are refused before anything runs.",
    "- Rows are those of active nodes, as in queries; `--inactive` adds deactivated and expired ones. `reports` holds those of",
    "  every `type`, where a query that does not mention the type sees agents' alone.",
    "- Times are `TIMESTAMP` in UTC. What may be of any shape is `JSON`: `value ->> '$'` is the text of a scalar,",
    "  `facts -> '$.os'` a part, `(…)::BIGINT` a number of it.",
    "- `--timeout SECONDS` ends a question that takes too long; Ctrl-C does at any time.",
    "- A server is asked in PQL or AST (`census query`); SQL works where the data lie, while no server has them open. An export",
    "  of a running server can be asked at any time.",
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

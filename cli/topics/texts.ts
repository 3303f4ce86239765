/**
 * The topics of `census help`, in the order in which they are listed. A line after `#` is the title of a section; blocks are
 * separated by empty lines. A block is code if it is indented by four blanks, terms and their meanings if it has `::`, and
 * otherwise a paragraph.
 */
export const texts = {
  sources: {
    summary: "What to query: a server, an archive or a data directory",
    text: `
# SOURCES

--url URL :: A running server, Census or PuppetDB; --urls takes several and uses the first that responds.
--archive FILE :: An exported archive, or the directory it was unpacked to. The clock is fixed at the time of the
  export.
--data DIR :: A data directory, read-only. Other readers may have it open too; if a server has it open, query that
  server.

Only one of them can be used.

    census query 'nodes{}' --url http://127.0.0.1:8080
    census query 'nodes{}' --archive export.tgz
    census query 'nodes{}' --data /var/lib/census
    census nodes export.tgz

An existing archive or data directory may be typed without its option. Where help names the source as an argument, a
URL may be typed too.

# NAMES

A certname can be given without its domain, and a report by the first 6 digits of its hash or more, if only one in the
source begins like that.

A command that would list nothing checks its names. If the source does not have a certname, fact, class, environment,
package, resource or report of that name, the command ends with exit code 2 and prints the nearest names.

A query in PQL, AST or SQL is answered as it is, and may look for what is not there: if it has no rows, census query,
sql, shell, check, inventory and watch print the nearest names for those that it compares fields with, and the exit
code stays the same.

    census facts berth-0024 os.release --archive export.tgz
    census events bd3d8a11 --archive export.tgz

# WITHOUT A SOURCE

The archive or data directory in CENSUS_ARCHIVE, or the server in CENSUS_URL, else the service of this machine, at the
address where its configuration lets it listen (--config, else CENSUS_CONFIG, else /etc/census/conf.d), else the one
in the configuration of puppetdb_cli (--client-config, ~/.puppetlabs/client-tools/puppetdb.conf or the same in
/etc/puppetlabs), else http://127.0.0.1:8080.

For a server with TLS: --cacert names its CA, --cert and --key the client certificate, --token a token. The
configuration of puppetdb_cli can set all of them.
`,
  },
  queries: {
    summary: "PQL in one page, and AST",
    text: `
# SYNTAX

    entity[fields]{ conditions  order by … limit … }

The brackets are optional, the braces are not. Keywords are lower case. Strings are in double or single quotes. White
space is required only around and, or, and after a dotted field.

nodes{} :: all active nodes with all fields
nodes[certname, report_timestamp]{} :: two fields of each node
nodes[certname]{ latest_report_status = "failed" } :: nodes whose latest run failed

# CONDITIONS

= != :: equal, not equal
~ !~ :: matches, does not match a regular expression
< <= > >= :: compare numbers and timestamps
in [ … ] :: one of several values, or of the result of another query
is null, is not null :: missing, present
and or ! ( ) :: combine conditions; ! binds tightest, then and

facts{ name = "kernel" and value = "Linux" } :: a fact by its name and value
nodes[certname]{ certname ~ "^crane" and !(catalog_environment = "production") } :: a regular expression; not
inventory[certname, facts.os.name]{ facts.os.family = "Debian" } :: a value inside a structured fact
resources{ type in ["File", "Service"] and title ~ "config" } :: one of several values
nodes[certname]{ expired is null and node_state = "active" } :: missing values; the state of a node
reports[certname, status]{ end_time > "2026-01-01T00:00:00Z" } :: since a point in time

# RELATED ENTITIES

An entity with braces is also a condition: a related row with these conditions exists.

nodes[certname]{ resources{ type = "Class" and title = "Role::Gateway" } } :: nodes with a resource
facts[value]{ name = "ipaddress" and nodes{ latest_report_status = "failed" } } :: facts of failed nodes
nodes[certname]{ certname in facts[certname]{ name = "kernel" } } :: one query inside another

# COUNTING

nodes[count()]{} :: number of nodes
resources[type, count()]{ group by type } :: number of each type
resources[type, count()]{ group by type order by count desc limit 10 } :: the commonest ten; not in PuppetDB
facts[value, count()]{ name = "kernel" group by value } :: distribution of the values of a fact
reports[max(end_time)]{} :: the maximum; also min, sum and avg

# ORDER AND PAGING

After the conditions and group by, inside the braces.

nodes[certname]{ order by certname } :: sorted
reports[certname, end_time]{ order by end_time desc, certname limit 10 } :: the newest ten
nodes[certname]{ order by certname limit 10 offset 20 } :: the third page

# AST

The same query as JSON, for programs. A query that starts with [ is AST.

    ["from", "nodes", ["=", "latest_report_status", "failed"]]

# MORE

docs/entities.md lists every entity with its fields and operators.

census query --explain shows the time of each step of a query.
`,
  },
  output: {
    summary: "Output formats, and what goes to stdout and stderr",
    text: `
# FORMATS (--output)

table :: The default on a terminal, laid out for its width (see TABLES). In a pipe it has borders, and every value in
  full. Keeps the whole result in memory.
json :: The default in a pipe. One array with one row per line.
ndjson :: One JSON object per line; best for long results.
csv :: A header, then one line per row, quoted as in RFC 4180. Nested values are JSON; null is an empty cell.
csv-safe :: The same for a spreadsheet: cells that it would read as a formula begin with '.
tsv :: Values between tabs, for cut and awk: a tab, a line break or a backslash in a value is \\t, \\n or \\\\.
names :: The first value of each row on a line of its own, for xargs and loops.
markdown :: A table in GitHub's Markdown.
html :: One page to send, without scripts; it opens offline.
parquet :: Only with --out. A column has the common type of its values: boolean, integer, number, timestamp, string;
  nested or mixed values are JSON. A result without rows cannot be written.
xlsx :: An Excel workbook, only with --out. Times are dates (UTC), numbers are numbers unless Excel would round them,
  nested values are JSON. A sheet has at most 1,048,575 rows, and a cell 32,767 characters.

All but table, html, parquet and xlsx are written as rows arrive. Numbers keep all digits that they have in the store.

# TABLES

On a terminal, a table shows what matters most in the width that there is:

above the table :: Columns with the same value in all rows, and the names of columns without any value.
cells :: Wrap to two lines before they are cut, long words in their middle first; the last words of a long text stay.
  Hashes have 8 digits, files no folder of their environment. A message without space beside the other columns is
  below its row, with the reason of a failure first.
times :: Are UTC. With enough space the age is beside it, with little the age is alone; it is relative to the present
  time of the source: of an archive, the time of the export.
states :: Have a sign and a colour: ✖ failed, ⊗ hidden failure, ◆ corrective, ▲ changed, ◐ pending (noop), ○
  unchanged, ◷ silent, □ skipped or never reported.
below the table :: The names of columns for which there is no space. --wide shows all columns and every value in full.

If the most important columns do not fit side by side, each row becomes a block of lines. With --limit, the number of
rows is followed by how many there are without it.

A result that is longer than the terminal is shown in a pager: $PAGER, else less. --no-pager shows it at once.

    census events --archive export.tgz
    census query 'reports{}' --order-by 'end_time desc' --limit 20 --wide --archive export.tgz

# FILES (--out)

A file is written atomically: an existing file stays until the new one is complete. The extension sets the format
(.json, .ndjson, .jsonl, .csv, .md, .html, .parquet, .xlsx) unless --output is given; others need --output.

    census query 'facts{}' --archive export.tgz --out facts.parquet

# STREAMS

Only results go to stdout. The row count of a table, progress, warnings and errors go to stderr. Progress bars and
colours appear on terminals only.

    census query 'nodes[certname]{}' --output ndjson | jq -r .certname
    census query 'resources[type, count()]{ group by type }' --output csv > types.csv
`,
  },
  time: {
    summary: "The clock for node state, expiry and retention, and timestamps",
    text: `
# CLOCKS

One clock decides which nodes have expired, how long reports and events are kept, and the value of a missing
timestamp.

server :: The clock of the machine.
archive :: Fixed at the time of the export. Nothing expires: an old export shows all its data, events included.
data directory :: Without a server: the clock of the machine.
--now TIME :: Fixes the clock of an archive, a data directory or a server that is being started. A running server
  keeps its own.

    census serve --memory --now 2026-11-20T12:00:00Z
    census query 'nodes{}' --archive export.tgz --now 2026-11-20T12:00:00Z

# TIMESTAMPS

Write timestamps in ISO 8601 with Z or an offset: 2026-11-20T12:00:00Z. Results have milliseconds and Z. In queries, a
timestamp is a string, compared with <, <=, >, >= and =.

Also accepted: 2026, 2026-11, 2026-11-20, 2026-11-20 12:00:00, +0100 as an offset, basic, week and ordinal dates, RFC
822. A time without an offset is UTC. Seconds since the epoch are rejected.

    census query 'reports[certname, end_time]{ end_time > "2026-11-19T00:00:00Z" }'
`,
  },
  archives: {
    summary: "Exported archives: supported formats, and how to use one",
    text: `
# FORMATS

Exports of PuppetDB and OpenVoxDB of any version: tar.gz, tar or zip, or the directory they were unpacked to. The
format is detected from the content, not from the file name. Archives with links, with paths that lead outside, or
that expand without limit are rejected.

# USING AN ARCHIVE

open :: Serve it over HTTP from memory.
query --archive :: Run one query, without a server.
import :: Import it into a data directory, for a server to use. If a member cannot be read, nothing is imported; with
  --keep-going, such members are skipped and listed.
anonymize :: Write a copy with names and values replaced; --preview shows what would be replaced.

    census open export.tgz
    census query 'nodes[certname]{ latest_report_status = "failed" }' --archive export.tgz
    census import export.tgz --data /var/lib/census
    census anonymize export.tgz anonymous.tgz --profile moderate
`,
  },
  settings: {
    summary: "Settings of a server, and where they are set",
    text: `
# SOURCES, LATER ONES TAKE PRECEDENCE

1. defaults :: census config lists all settings with their effective values and sources.
2. files :: --config, else CENSUS_CONFIG, else /etc/census/conf.d if it exists: an ini, conf (HOCON) or json file, or
  a directory of them. The conf.d of a PuppetDB can be used as it is.
3. variables :: CENSUS_JETTY_PORT is port in [jetty].
4. options :: of census serve: --port 8080; --no-migrate disables a setting that is on.

Unknown settings and invalid values are errors; all are reported together, each with its file and line. Settings of
PuppetDB that Census does not need are ignored; census config lists them with the reason.

    census config --config /etc/puppetlabs/puppetdb/conf.d
    census config --check --as-user census
    census serve
`,
  },
  environment: {
    summary: "Environment variables",
    text: `
# VARIABLES

CENSUS_ARCHIVE :: Archive or data directory to query when no source is given; it cannot be set together with
  CENSUS_URL.
CENSUS_URL :: Server to use when no source is given. See census help sources.
CENSUS_TOKEN_FILE :: File with a token for servers with TLS, unless --token names another.
CENSUS_CONFIG :: Configuration of the service of this machine, to use when --config is not given (default:
  /etc/census/conf.d if it exists and is not empty).
CENSUS_<SECTION>_<NAME> :: A setting: CENSUS_JETTY_PORT is port in [jetty]. Settings in [census] have no section in
  their variable. See census help settings.
CENSUS_DEBUG :: If set, print stack traces with errors.
XDG_DATA_HOME :: Contains census/, the default data directory (default: ~/.local/share; on Windows LOCALAPPDATA).
XDG_CACHE_HOME :: Contains census/, the cache of opened archives and copied servers (default: ~/.cache). census cache
  list shows them.
XDG_STATE_HOME :: Contains census/, with the query history of census shell (default: ~/.local/state; on Windows
  LOCALAPPDATA).
CENSUS_CACHE_SIZE :: Maximum size of the cache, e.g. 500M (default: 2G); 0 disables it.
CENSUS_NATIVE_DIR :: The only directory to which the packaged program may unpack the engine's library (default:
  engine/ in the cache, else the temporary directory).
PAGER :: Pager for results longer than the terminal (default: less -FRX); empty: no pager.
DISPLAY, WAYLAND_DISPLAY :: census open starts a browser only where one of them is set (on Unix).
SSH_CONNECTION :: If set, census open starts no browser.
UV_THREADPOOL_SIZE :: Number of threads for file I/O (default: chosen for the machine).
NO_COLOR :: If set, print no colours.
FORCE_COLOR :: If set and not 0, print colours in pipes too. NO_COLOR takes precedence.
TERM :: dumb: print no colours, and use no pager unless PAGER is set.
LC_ALL, LC_CTYPE, LANG :: The first that is set is the locale. If it is not UTF-8, the pager is told that the text is.

An empty variable counts as not set. Options take precedence over variables.
`,
  },
  "exit-codes": {
    summary: "Exit codes",
    text: `
# EXIT CODES

0 :: Success. A result without rows is a success, also of a query with a name that the source does not have (a hint is
  printed), and so is output that the reader closed early (census query … | head).
1 :: Failure: a file, the network, the store, a command that was only done in part, a script of census shell.
2 :: Usage error: an invalid option, argument, setting or query, or a name in arguments or options that the source
  does not have. Nothing was done.
3 :: census serve only: the engine has closed the database file and this process cannot reopen it. All acknowledged
  commands are on disk; a service manager restarts the service.
130 :: Interrupted by Ctrl-C.

census config --check exits with 0 if there are no errors (warnings are allowed), with 1 on errors, and with 2 if the
settings cannot be read.

census self-check exits with 0 if it finds no errors, else with 1. census verify exits with 0 if nothing is damaged,
and with 1 if something is damaged or cannot be read.

census check exits with 1 when a check of the severity error fails, and with 2 when its file is wrong.

With --exit-code, census diff exits like diff(1): 0 without differences, 1 with differences, 2 on errors.

Every error is one line on stderr that starts with census: and says what to do. Only results go to stdout.

# IN SCRIPTS

    if ! census query 'nodes[count()]{}' --output csv > count.csv; then
      echo 'the inventory is not available' >&2
    fi
`,
  },
} as const;

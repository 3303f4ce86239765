/** A query to begin with. */
export interface Example {
  readonly label: string;
  readonly pql: string;
}

/** Queries by task. The tests run them all. */
export const examples: readonly { readonly task: string; readonly queries: readonly Example[] }[] = [
  {
    task: "Nodes",
    queries: [
      {
        label: "Nodes whose last run failed",
        pql: 'nodes[certname, report_timestamp]{ latest_report_status = "failed" order by report_timestamp desc }',
      },
      {
        label: "Nodes that use a cached catalog because there is no new one",
        pql: 'nodes[certname, catalog_timestamp]{ cached_catalog_status = "on_failure" order by certname }',
      },
      {
        label: "Nodes by state of the last run",
        pql: "nodes[latest_report_status, count()]{ group by latest_report_status }",
      },
      {
        label: "Nodes by operating system",
        pql: "inventory[facts.os.name, facts.os.release.full, count()]{ group by facts.os.name, facts.os.release.full }",
      },
      {
        label: "Nodes with a class",
        pql: 'nodes[certname]{ resources{ type = "Class" and title = "Main" } order by certname }',
      },
      {
        label: "Deactivated and expired nodes",
        pql: 'nodes[certname, deactivated, expired]{ node_state = "inactive" }',
      },
    ],
  },
  {
    task: "Facts",
    queries: [
      { label: "A fact of all nodes", pql: 'facts[certname, value]{ name = "kernelrelease" order by certname }' },
      { label: "Values of a fact, counted", pql: 'facts[value, count()]{ name = "timezone" group by value }' },
      {
        label: "Facts as columns",
        pql: "inventory[certname, facts.os.name, facts.kernel, facts.memory.system.total_bytes]{ order by certname }",
      },
      {
        label: "A value somewhere in a structured fact",
        pql: 'fact_contents[certname, path, value]{ path ~> ["networking", "interfaces", ".*", "ip"] }',
      },
    ],
  },
  {
    task: "Runs",
    queries: [
      {
        label: "The longest of the last runs",
        pql: "reports[certname, status, start_time, end_time, hash]{ latest_report? = true order by end_time desc limit 50 }",
      },
      {
        label: "Runs per hour",
        pql: 'reports[to_string(producer_timestamp, "YYYY-MM-DD HH24:00"), status, count()]{ group by to_string(producer_timestamp, "YYYY-MM-DD HH24:00"), status }',
      },
      {
        label: "Failures of the last runs, by message",
        pql: 'events[resource_type, resource_title, message, count()]{ status = "failure" and latest_report? = true group by resource_type, resource_title, message }',
      },
      {
        label: "Changes of one resource",
        pql: 'events[certname, timestamp, property, old_value, new_value, report]{ resource_type = "File" and resource_title = "/etc/motd" order by timestamp desc limit 100 }',
      },
    ],
  },
  {
    task: "Resources",
    queries: [
      { label: "Resources by type", pql: "resources[type, count()]{ group by type }" },
      { label: "Classes by number of nodes", pql: 'resources[title, count()]{ type = "Class" group by title }' },
      {
        label: "Where a parameter has a value",
        pql: 'resources[certname, type, title]{ type = "Service" and parameters.ensure = "running" limit 100 }',
      },
      { label: "Exported resources", pql: "resources[certname, type, title, file, line]{ exported = true }" },
      {
        label: "Versions of a package",
        pql: 'package_inventory[version, count()]{ package_name = "openssl" group by version }',
      },
    ],
  },
];

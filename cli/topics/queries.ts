import { code, terms, text, type Block } from "../help/page.ts";
import type { Topic } from "./topic.ts";

/** The example queries of the page with their meaning. A test runs all of them. */
export const queryExamples: Readonly<
  Record<"first" | "conditions" | "related" | "counting" | "paging", readonly Example[]>
> = {
  first: [
    ["nodes{}", "all active nodes with all fields"],
    ["nodes[certname, report_timestamp]{}", "two fields of each node"],
    [`nodes[certname]{ latest_report_status = "failed" }`, "nodes whose latest run failed"],
  ],
  conditions: [
    [`facts{ name = "kernel" and value = "Linux" }`, "a fact by its name and value"],
    [`nodes[certname]{ certname ~ "^crane" and !(catalog_environment = "production") }`, "a regular expression; not"],
    [`inventory[certname, facts.os.name]{ facts.os.family = "Debian" }`, "a value inside a structured fact"],
    [`resources{ type in ["File", "Service"] and title ~ "config" }`, "one of several values"],
    [`nodes[certname]{ expired is null and node_state = "active" }`, "missing values; the state of a node"],
    [`reports[certname, status]{ end_time > "2026-01-01T00:00:00Z" }`, "since a point in time"],
  ],
  related: [
    [`nodes[certname]{ resources{ type = "Class" and title = "Role::Gateway" } }`, "nodes with a resource"],
    [`facts[value]{ name = "ipaddress" and nodes{ latest_report_status = "failed" } }`, "facts of failed nodes"],
    [`nodes[certname]{ certname in facts[certname]{ name = "kernel" } }`, "one query inside another"],
  ],
  counting: [
    ["nodes[count()]{}", "number of nodes"],
    ["resources[type, count()]{ group by type }", "number of each type"],
    [`facts[value, count()]{ name = "kernel" group by value }`, "distribution of the values of a fact"],
    ["reports[max(end_time)]{}", "the maximum; also min, sum and avg"],
  ],
  paging: [
    ["nodes[certname]{ order by certname }", "sorted"],
    ["reports[certname, end_time]{ order by end_time desc, certname limit 10 }", "the newest ten"],
    ["nodes[certname]{ order by certname limit 10 offset 20 }", "the third page"],
  ],
};

type Example = readonly [query: string, meaning: string];

function examples(part: keyof typeof queryExamples): Block {
  return terms(...queryExamples[part]);
}

/** PQL in one page. */
export const queries: Topic = {
  name: "queries",
  page: {
    summary: "PQL in one page, and AST",
    sections: [
      {
        title: "SYNTAX",
        blocks: [
          code("entity[fields]{ conditions  order by … limit … }"),
          text(
            "The brackets are optional, the braces are not. Keywords are lower case. Strings are in double or single quotes. White space is required only around and, or, and after a dotted field.",
          ),
          examples("first"),
        ],
      },
      {
        title: "CONDITIONS",
        blocks: [
          terms(
            ["= !=", "equal, not equal"],
            ["~ !~", "matches, does not match a regular expression"],
            ["< <= > >=", "compare numbers and timestamps"],
            ["in [ … ]", "one of several values, or of the result of another query"],
            ["is null, is not null", "missing, present"],
            ["and or ! ( )", "combine conditions; ! binds tightest, then and"],
          ),
          examples("conditions"),
        ],
      },
      {
        title: "RELATED ENTITIES",
        blocks: [
          text("An entity with braces is also a condition: a related row with these conditions exists."),
          examples("related"),
        ],
      },
      { title: "COUNTING", blocks: [examples("counting")] },
      {
        title: "ORDER AND PAGING",
        blocks: [text("After the conditions, inside the braces; not with group by."), examples("paging")],
      },
      {
        title: "AST",
        blocks: [
          text("The same query as JSON, for programs. A query that starts with [ is AST."),
          code(`["from", "nodes", ["=", "latest_report_status", "failed"]]`),
        ],
      },
      {
        title: "MORE",
        blocks: [
          text("docs/entities.md lists every entity with its fields and operators."),
          text("census query --explain shows the time of each step of a query."),
        ],
      },
    ],
  },
};

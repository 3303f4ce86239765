import { code, terms, text, type Block } from "../help/page.ts";
import type { Topic } from "./topic.ts";

/** Questions of the primer, and what they ask for. All can be asked as they stand. */
export const queryExamples: Readonly<
  Record<"first" | "conditions" | "related" | "counting" | "paging", readonly Example[]>
> = {
  first: [
    ["nodes{}", "every active node, with all its fields"],
    ["nodes[certname, report_timestamp]{}", "two fields of each"],
    [`nodes[certname]{ latest_report_status = "failed" }`, "those whose latest run failed"],
  ],
  conditions: [
    [`facts{ name = "kernel" and value = "Linux" }`, "a fact by its name and value"],
    [`nodes[certname]{ certname ~ "^crane" and !(catalog_environment = "production") }`, "a pattern, and what is not"],
    [`inventory[certname, facts.os.name]{ facts.os.family = "Debian" }`, "a part of a structured fact"],
    [`resources{ type in ["File", "Service"] and title ~ "config" }`, "one of several values"],
    [`nodes[certname]{ expired is null and node_state = "active" }`, "what is not there; the state of a node"],
    [`reports[certname, status]{ end_time > "2026-01-01T00:00:00Z" }`, "from a point in time on"],
  ],
  related: [
    [`nodes[certname]{ resources{ type = "Class" and title = "Role::Gateway" } }`, "nodes that have a resource"],
    [`facts[value]{ name = "ipaddress" and nodes{ latest_report_status = "failed" } }`, "facts of nodes that failed"],
    [`nodes[certname]{ certname in facts[certname]{ name = "kernel" } }`, "one query inside another"],
  ],
  counting: [
    ["nodes[count()]{}", "how many there are"],
    ["resources[type, count()]{ group by type }", "how many of each"],
    [`facts[value, count()]{ name = "kernel" group by value }`, "how a fact's values are spread"],
    ["reports[max(end_time)]{}", "the latest end; there are min, sum and avg as well"],
  ],
  paging: [
    ["nodes[certname]{ order by certname }", "in order"],
    ["reports[certname, end_time]{ order by end_time desc, certname limit 10 }", "the newest ten"],
    ["nodes[certname]{ order by certname limit 10 offset 20 }", "the third page"],
  ],
};

type Example = readonly [query: string, asks: string];

function examples(part: keyof typeof queryExamples): Block {
  return terms(...queryExamples[part]);
}

/** PQL in one page. */
export const queries: Topic = {
  name: "queries",
  page: {
    summary: "How to ask: PQL in one page, and AST",
    sections: [
      {
        title: "THE FORM",
        blocks: [
          code("entity[what to show]{ conditions  order by … limit … }"),
          text(
            "The brackets may be left out, the braces may not. Keywords are lower case. A text stands in double or single quotes. White space is free, but for the white space around and, or and behind a dotted field.",
          ),
          examples("first"),
        ],
      },
      {
        title: "CONDITIONS",
        blocks: [
          terms(
            ["= !=", "equal, or not"],
            ["~ !~", "matches a regular expression, or does not"],
            ["< <= > >=", "numbers and points in time"],
            ["in [ … ]", "one of several values, or of the answer to another query"],
            ["is null, is not null", "not there, there"],
            ["and or ! ( )", "several conditions; ! binds most tightly, then and"],
          ),
          examples("conditions"),
        ],
      },
      {
        title: "RELATED THINGS",
        blocks: [
          text(
            "An entity with braces is a condition as well: something related is there for which those conditions hold.",
          ),
          examples("related"),
        ],
      },
      { title: "COUNTING", blocks: [examples("counting")] },
      {
        title: "ORDER AND PAGES",
        blocks: [text("Behind the conditions, in the same braces; not together with group by."), examples("paging")],
      },
      {
        title: "AST",
        blocks: [
          text("The same as JSON, as programs write it: a question that begins with [ is one."),
          code(`["from", "nodes", ["=", "latest_report_status", "failed"]]`),
        ],
      },
      {
        title: "MORE",
        blocks: [
          text("docs/entities.md lists every entity with its fields and operators."),
          text("census query --explain shows where the time of a question goes, step by step."),
        ],
      },
    ],
  },
};

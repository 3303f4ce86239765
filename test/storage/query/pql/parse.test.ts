import { describe, expect, it } from "vitest";
import { CensusError } from "#storage/errors.ts";
import { stringifyJson } from "#storage/json.ts";
import { parsePql } from "#storage/query/pql/parse.ts";

/** What PuppetDB answers with `ast_only=true` (reference/pql.md §3). */
const PAIRS: readonly (readonly [pql: string, ast: string])[] = [
  ["nodes{}", '["from","nodes"]'],
  ["  nodes  {  }  ", '["from","nodes"]'],
  ["nodes[]{}", '["from","nodes",["extract",[]]]'],
  ["nodes [ certname ] { }", '["from","nodes",["extract",["certname"]]]'],
  ['nodes{certname="a"}', '["from","nodes",["=","certname","a"]]'],
  [String.raw`nodes{certname='a\n\'b\''}`, String.raw`["from","nodes",["=","certname","a\\n'b'"]]`],
  [String.raw`nodes{certname="a\u0041\n"}`, String.raw`["from","nodes",["=","certname","aA\n"]]`],
  ['nodes{certname!="a"}', '["from","nodes",["not",["=","certname","a"]]]'],
  ['nodes{certname ~ "^a.*"}', '["from","nodes",["~","certname","^a.*"]]'],
  ['nodes{certname !~ "^a.*"}', '["from","nodes",["not",["~","certname","^a.*"]]]'],
  ["nodes{certname !~ 5}", '["from","nodes",["not",["~","certname",5]]]'],
  ["nodes{line = -5}", '["from","nodes",["=","line",-5]]'],
  ["nodes{line = 5.5e-3}", '["from","nodes",["=","line",0.0055]]'],
  ['nodes{line > "2020-01-01"}', '["from","nodes",[">","line","2020-01-01"]]'],
  ["nodes{noop = true}", '["from","nodes",["=","noop",true]]'],
  ["nodes{noop is null}", '["from","nodes",["null?","noop",true]]'],
  ["nodes{noop is not null}", '["from","nodes",["null?","noop",false]]'],
  ["nodes{!noop is null}", '["from","nodes",["not",["null?","noop",true]]]'],
  ["nodes{a=1 and b=2 or c=3}", '["from","nodes",["or",["and",["=","a",1],["=","b",2]],["=","c",3]]]'],
  ["nodes{a=1 or b=2 and c=3}", '["from","nodes",["or",["=","a",1],["and",["=","b",2],["=","c",3]]]]'],
  ["nodes{a=1 and (b=2 or c=3)}", '["from","nodes",["and",["=","a",1],["or",["=","b",2],["=","c",3]]]]'],
  ["nodes{(a=1 and b=2) and c=3}", '["from","nodes",["and",["=","a",1],["=","b",2],["=","c",3]]]'],
  ["nodes{(a=1 or b=2) or c=3}", '["from","nodes",["or",["=","a",1],["=","b",2],["=","c",3]]]'],
  ["nodes{!a=1 and b=2}", '["from","nodes",["and",["not",["=","a",1]],["=","b",2]]]'],
  ["nodes{!(a=1 and b=2)}", '["from","nodes",["not",["and",["=","a",1],["=","b",2]]]]'],
  ["nodes{!!a=1}", '["from","nodes",["not",["not",["=","a",1]]]]'],
  ["nodes{a in [1,2]}", '["from","nodes",["in","a",["array",[1,2]]]]'],
  ["nodes{a in ['x', 5, 1.5, true]}", '["from","nodes",["in","a",["array",["x",5,1.5,true]]]]'],
  ["nodes{[a,b] in [1,2]}", '["from","nodes",["in",["a","b"],["array",[1,2]]]]'],
  ['fact_contents{path in [["a",1],["b"]]}', '["from","fact_contents",["in","path",["array",[["a",1],["b"]]]]]'],
  [
    'nodes{a in facts[certname]{name="x"}}',
    '["from","nodes",["in","a",["from","facts",["extract",["certname"],["=","name","x"]]]]]',
  ],
  ['nodes{a in facts{name="x"}}', '["from","nodes",["in","a",["from","facts",["=","name","x"]]]]'],
  [
    'nodes{[a,b] in facts[certname,name]{name="x"}}',
    '["from","nodes",["in",["a","b"],["from","facts",["extract",["certname","name"],["=","name","x"]]]]]',
  ],
  [
    'nodes{a in facts[certname]{name="x" limit 1 order by certname}}',
    '["from","nodes",["in","a",["from","facts",["extract",["certname"],["=","name","x"]],["limit",1],["order_by",["certname"]]]]]',
  ],
  ['fact_contents{path = ["a",1]}', '["from","fact_contents",["=","path",["a",1]]]'],
  ['fact_contents{path ~> ["a",".*"]}', '["from","fact_contents",["~>","path",["a",".*"]]]'],
  ['nodes{resources{type="Class"}}', '["from","nodes",["subquery","resources",["=","type","Class"]]]'],
  [
    'nodes{!resources{type="Class"} and facts{name="x"}}',
    '["from","nodes",["and",["not",["subquery","resources",["=","type","Class"]]],["subquery","facts",["=","name","x"]]]]',
  ],
  ["nodes{resources{}}", '["from","nodes",["subquery","resources"]]'],
  ['inventory{facts.os.family="Debian"}', '["from","inventory",["=","facts.os.family","Debian"]]'],
  ['inventory{facts.nics[0].name="x"}', '["from","inventory",["=","facts.nics[0].name","x"]]'],
  ['inventory{facts."a.b".c = 1}', String.raw`["from","inventory",["=","facts.\"a.b\".c",1]]`],
  ['inventory{facts.match("a.*").b = 1}', String.raw`["from","inventory",["=","facts.match(\"a.*\").b",1]]`],
  ["inventory{facts.a-b = 1}", '["from","inventory",["=","facts.a-b",1]]'],
  ['resources{parameters.ensure = "present"}', '["from","resources",["=","parameters.ensure","present"]]'],
  ["facts[count()]{}", '["from","facts",["extract",[["function","count"]]]]'],
  ["facts[count (value)]{}", '["from","facts",["extract",[["function","count","value"]]]]'],
  [
    'facts[avg(value),max(value)]{name="x"}',
    '["from","facts",["extract",[["function","avg","value"],["function","max","value"]],["=","name","x"]]]',
  ],
  [
    'reports[count(), to_string(receive_time, "DAY")]{group by to_string(receive_time, "DAY")}',
    '["from","reports",["extract",[["function","count"],["function","to_string","receive_time","DAY"]],["group_by",["function","to_string","receive_time","DAY"]]]]',
  ],
  [
    "facts[name,count()]{group by name}",
    '["from","facts",["extract",["name",["function","count"]],["group_by","name"]]]',
  ],
  [
    'facts[name,count()]{name ~ "a" group by name, value}',
    '["from","facts",["extract",["name",["function","count"]],["~","name","a"],["group_by","name","value"]]]',
  ],
  ['facts{name="x" group by name}', '["from","facts",["=","name","x"],["group_by","name"]]'],
  ["nodes{limit 5 offset 2 order by certname}", '["from","nodes",["limit",5],["offset",2],["order_by",["certname"]]]'],
  [
    "nodes{order by certname desc, report_timestamp asc limit 5}",
    '["from","nodes",["order_by",[["certname","desc"],["report_timestamp","asc"]]],["limit",5]]',
  ],
  ["nodes{order by certname,deactivated desc}", '["from","nodes",["order_by",["certname",["deactivated","desc"]]]]'],
  [
    'nodes[certname]{certname="x" limit 1}',
    '["from","nodes",["extract",["certname"],["=","certname","x"]],["limit",1]]',
  ],
  [
    'reports{latest_report? = true and status="failed"}',
    '["from","reports",["and",["=","latest_report?",true],["=","status","failed"]]]',
  ],
  ["nodes{limit 5 limit 6}", '["from","nodes",["limit",5],["limit",6]]'],
  ["nodes{limit -5}", '["from","nodes",["limit",-5]]'],
  [
    'nodes{resources{type="Class" limit 1}}',
    '["from","nodes",["subquery","resources",["=","type","Class"],["limit",1]]]',
  ],
];

/** Lexical rules (reference/pql.md §2), and what the grammar of §1 says about names that look like keywords. */
const LEXICAL: readonly (readonly [pql: string, ast: string])[] = [
  ["nodes{a = 00012}", '["from","nodes",["=","a",12]]'],
  ["nodes{a = -007}", '["from","nodes",["=","a",-7]]'],
  ["nodes{a = -0}", '["from","nodes",["=","a",0]]'],
  ["nodes{a = 9007199254740993}", '["from","nodes",["=","a",9007199254740993]]'],
  ["nodes{a = 9223372036854775807}", '["from","nodes",["=","a",9223372036854775807]]'],
  ["nodes{a = -9223372036854775808}", '["from","nodes",["=","a",-9223372036854775808]]'],
  ["nodes{a = 000009223372036854775807}", '["from","nodes",["=","a",9223372036854775807]]'],
  ["nodes{a = 5.50}", '["from","nodes",["=","a",5.5]]'],
  ["nodes{a = 5.0}", '["from","nodes",["=","a",5.0]]'],
  ["nodes{a = 5.5E+3}", '["from","nodes",["=","a",5500.0]]'],
  ["nodes{a = -0.0}", '["from","nodes",["=","a",-0.0]]'],
  ["nodes{a = 1.5e300}", '["from","nodes",["=","a",1.5E+300]]'],
  ["nodes{a = 1.0e21}", '["from","nodes",["=","a",1.0E+21]]'],
  [String.raw`nodes{a = "\t\r\b\f\/\\\""}`, String.raw`["from","nodes",["=","a","\t\r\b\f/\\\""]]`],
  ['nodes{a = "x\ny"}', String.raw`["from","nodes",["=","a","x\ny"]]`],
  [String.raw`nodes{a = 'a\\'}`, String.raw`["from","nodes",["=","a","a\\\\"]]`],
  [`nodes{a = "it's" and b = 'say "x"'}`, String.raw`["from","nodes",["and",["=","a","it's"],["=","b","say \"x\""]]]`],
  ['nodes{certname="x"limit 5}', '["from","nodes",["=","certname","x"],["limit",5]]'],
  ["inventory{order by facts.os.family }", '["from","inventory",["order_by",["facts.os.family"]]]'],
  ['inventory[facts."a.b" ]{}', String.raw`["from","inventory",["extract",["facts.\"a.b\""]]]`],
  ["nodes{limit = 5}", '["from","nodes",["=","limit",5]]'],
  ["nodes{nodes = 1 and facts = 2}", '["from","nodes",["and",["=","nodes",1],["=","facts",2]]]'],
  ["facts[count]{}", '["from","facts",["extract",["count"]]]'],
  ["factsets{}", '["from","factsets"]'],
  ["package_inventory{}", '["from","package_inventory"]'],
  ["nodes{\n\ta\n=\n1\n}", '["from","nodes",["=","a",1]]'],
  ["nodes{a in[1]}", '["from","nodes",["in","a",["array",[1]]]]'],
  // `match(…)` ends at the first parenthesis, and a bare part takes parentheses in: what follows decides.
  ["inventory{order by facts.match(x)}", '["from","inventory",["order_by",["facts.match(x)"]]]'],
  ["inventory{facts.match(x)y = 1}", '["from","inventory",["=","facts.match(x)y",1]]'],
  ["inventory{(facts.match(a = 1)}", '["from","inventory",["=","facts.match(a",1]]'],
];

/** Values that are well-formed and cannot be used (reference/pql.md §2); PuppetDB's message, where it has one. */
const UNUSABLE: readonly (readonly [pql: string, message: string | RegExp])[] = [
  ["nodes{a = 9223372036854775808}", 'For input string: "9223372036854775808"'],
  ["nodes{a = -9223372036854775809}", 'For input string: "-9223372036854775809"'],
  ["nodes{limit 00099999999999999999999}", 'For input string: "00099999999999999999999"'],
  ["nodes{a = 1.0e999}", /1\.0e999 at line 1, column 11 is beyond/],
  [String.raw`nodes{a = "a\q"}`, /\\q at line 1, column 13 is not an escape/],
  [String.raw`nodes{a = "\u12"}`, /\\u at line 1, column 12 is not an escape/],
];

describe("parsePql", () => {
  it.each(PAIRS)("translates to the recorded AST: %s", (pql, ast) => {
    expect(stringifyJson(parsePql(pql))).toBe(ast);
  });

  it.each(LEXICAL)("follows the lexical rule: %s", (pql, ast) => {
    expect(stringifyJson(parsePql(pql))).toBe(ast);
  });

  it.each(UNUSABLE)("refuses the value of %s", (pql, message) => {
    expect(() => parsePql(pql)).toThrow(CensusError);
    expect(() => parsePql(pql)).toThrow(message);
  });
});

const forty = Array.from({ length: 40 }, (_, index) => index);

/** Conditions and columns of which few recorded requests, or none, have every case: PQL, or the text of an AST. */
export const queries: readonly string[] = [
  "facts[certname, value, to_string(value, '999.9')]{ value > 1 }",
  "reports[certname, to_string(receive_time, 'FMDay, DDth FMMonth YYYY HH12:MI:SS.MS AM TZ IYYY-IW Q J RM')]{}",
  `facts{ value in ${JSON.stringify(forty)} }`,
  `nodes{ certname in ${JSON.stringify(forty.map((index) => `node-${index}`))} }`,
  `resources{ ${forty.map((index) => `line = ${index}`).join(" or ")} }`,
  `reports{ ${forty.map((index) => `end_time = "2026-11-20T12:00:${10 + index}Z"`).join(" or ")} }`,
  `inventory{ ${forty.map((index) => `facts.a = "v${index}" or facts.b.c = "v${index}"`).join(" or ")} }`,
  '["from","inventory",["and",["=","facts.a.b[0]",{"c":1}],["=","facts.d",["e",null]]]]',
  '["from","inventory",["and",["null?","facts.c",true],["null?","facts.d",false],["not",["~","facts.e","f"]]]]',
  '["from","inventory",["or",[">","facts.a.b",12345678901234567890],["<=","facts.a.b",true],[">=","facts.c",[]],[">","facts.d",[]],["<","facts.d",[]],["<=","facts.d",[]],["<=","facts.e",null],["<","facts.f",["a"]]]]',
  'inventory{ facts.a.b = "c" or facts.a.b = "d" or facts.e = "f" or facts.e = "g" }',
  '["from","inventory",["or",["~","facts.match(\\"net.*\\").mtu","1"],["=","facts",{"a":1,"b":"c"}],["=","facts",{}],["=","facts","x"]]]',
  'inventory{ !(facts.a[0] = 1) and facts.a.0 = "x" and facts.a ~ "(?=b)c" and !(facts.b.c = true) }',
  '["from","resources",["and",["=","parameters.ensure","present"],["~","parameters.mode","7$"],["not",[">","parameters.owner.name",1]],["=","parameters.a",{"b":[]}],["=","parameters.c",true]]]',
  '["from","resources",["and",["=","parameters",{"a":1}],["or",["=","parameters.b","c"],["=","parameters.b","d"]]]]',
  'resources[parameters.ensure, count()]{ type = "File" group by parameters.ensure }',
  '["from","fact_contents",["and",["~>","path",["a",".*",0]],["~","value","x"]]]',
  '["from","fact_contents",["and",["=","path",["a",0]],["in","value",["array",["a",1]]],["not",["null?","value",true]]]]',
  '["from","fact_contents",["in","path",["array",[["a"],["b",0]]]]]',
  '["from","catalog_inputs",["or",["~","inputs","a"],["=","inputs","b"]]]',
  'events{ latest_report? = false and new_value = "a" and old_value is null and message ~ "(?<!a)b" }',
  '["from","fact_changes",["and",["=","what","os.name"],["=","name","os"],["null?","until",true]]]',
  '["from","origins",["and",["=","name","eu"],["=","is_current",false]]]',
  '["from","resource_changes",["and",["=","what","File[/a]"],[">","until","2026-11-20"]]]',
  '["from","package_changes",["and",["=","change","removed"],["=","before","1"]]]',
  '["from","catalog_changes",["extract",["what","until"],["=","what","edge"]]]',
  'nodes{ node_state = "inactive" and facts{ value > 1 and name in ["a", "b"] } }',
  '["from","facts",["extract",["name",["function","max","value"],["function","min","value"],["function","avg","value"],["function","sum","value"]],["group_by","name"]],["order_by",["name"]]]',
  "resources[avg(line), sum(line), min(line), max(file)]{}",
  "fact_contents[value, count()]{ group by value }",
  '["from","fact_contents",["extract",["value",["function","count"]],["group_by","value"]],["order_by",["value"]]]',
  "facts[value]{ value in resources[title]{} and certname in reports[hash]{} }",
  "resources{ line in facts[value]{} or tags in events[containment_path]{} or exported in facts[value]{} }",
  "reports{ start_time in facts[value]{} and hash in resources[line]{} }",
  `resources{ ${forty
    .slice(0, 9)
    .map((index) => `certname in resources[certname]{ title = "t${index}" }`)
    .join(" and ")} }`,
  `["from","resources",["and",${forty
    .slice(0, 9)
    .map((index) => `["=",["parameter","p${index}"],"v"],["~",["parameter","p"],"v${index}"]`)
    .join(",")}]]`,
  `nodes{ ${forty
    .slice(0, 17)
    .map((index) => `facts{ name = "f${index}" and value = ${index} }`)
    .join(" and ")} }`,
  `resources{ ${forty
    .slice(0, 9)
    .map((index) => `title in facts[value]{ name = "f${index}" }`)
    .join(" and ")} }`,
  `inventory{ ${forty
    .slice(0, 17)
    .map((index) => `facts.f${index} = ${index}`)
    .join(" and ")} }`,
  `nodes{ ${[...forty, ...forty].map((index) => `certname ~ "n${index}"`).join(" or ")} }`,
  'facts{ value ~ "(.)\\\\1" }',
];

import { describe, expect, it } from "vitest";
import { type Candidate, type Catalogue, completePql, valuesWanted } from "#storage/query/complete/complete.ts";

/** A query with `|` where the cursor is. */
function at(query: string): [text: string, cursor: number] {
  return [query.replace("|", ""), query.indexOf("|")];
}

const known: Readonly<Record<string, readonly string[]>> = {
  "nodes certname": ["web-01.example.com", "web-02.example.com", 'a "quoted" one'],
  "facts name": ["kernel", "os"],
  "facts value kernel": ["Linux", "windows"],
  "resources type": ["Class", "File"],
  "inventory facts": ["facts.os.name", "facts.kernel"],
  "nodes node_state": ["active", "inactive", "any"],
};
const catalogue: Catalogue = {
  values: ({ entity, field, narrowed }) =>
    known[[entity, field, ...(narrowed === undefined ? [] : [narrowed.value])].join(" ")],
};

function completed(query: string, kind?: Candidate["kind"]): string[] {
  return completePql(...at(query), catalogue)
    .candidates.filter((candidate) => kind === undefined || candidate.kind === kind)
    .map(({ text }) => text);
}

describe("completions of a partial word", () => {
  it.each<[string, string[]]>([
    ["nod|", ["nodes"]],
    ["fact_|", ["fact_paths", "fact_contents", "fact_changes"]],
    ["nodes[cert|", ["certname"]],
    ["nodes[certname, latest_report_st|", ["latest_report_status"]],
    ["nodes[cou|", ["count("]],
    ["nodes{ cert|", ["certname"]],
    ["nodes{ node_|", ["node_state"]],
    ["nodes{ certname i|", ["is null", "is not null", "in"]],
    ["nodes{ certname is n|", ["is null", "is not null"]],
    ["nodes{ certname is not|", ["is not null"]],
    ['nodes{ certname = "a" a|', ["and"]],
    ['nodes{ certname = "a" o|', ["offset", "order by", "or"]],
    ["nodes{ order b|", ["order by"]],
    ["nodes{ order by report_timestamp d|", ["desc"]],
    ["resources[type, count()]{ group by ty|", ["type"]],
    ["resources[type, count()]{ group by type o|", ["offset", "order by"]],
    ["resources[type, count()]{ group by type order by co|", ["count"]],
    ["nodes{ certname !|", ["!=", "!~"]],
    ["reports{ noop = tr|", ["true"]],
    ["nodes{ certname = tr|", []],
    ["nodes{ certname in fa|", ["facts", "factsets", "fact_paths", "fact_contents", "fact_changes"]],
    ["nodes{ fact_|", ["fact_contents", "fact_changes"]],
    ["nodes{ resources{ ti|", ["title"]],
    ['nodes{ resources{ type = "Class" } and facts_e|', ["facts_environment"]],
    ["nodes{ certname in facts[certn|", ["certname"]],
    ["nosuch{ cert|", []],
    ["nodes{ certname == |", []],
  ])("%s", (query, texts) => {
    expect(completed(query).sort()).toStrictEqual(texts.sort());
  });
});

describe("completions where no word has begun", () => {
  it.each<[string, Candidate["kind"], string[]]>([
    ["nodes{ certname |", "operator", ["<", "<=", ">", ">=", "=", "!=", "~", "!~", "~>", "in"]],
    ["nodes{ certname |", "keyword", ["is null", "is not null"]],
    ['nodes{ certname = "a" |', "keyword", ["and", "or", "limit", "offset", "order by", "group by"]],
    ["nodes[certname]{} |", "keyword", []],
    ["facts[|", "field", ["certname", "environment", "name", "value"]],
    ["facts[|", "function", ["count(", "avg(", "sum(", "min(", "max(", "to_string("]],
    ["fact_paths{ |", "entity", ["facts", "fact_contents"]],
    ["packages{ |", "entity", []],
  ])("%s: %s", (query, kind, texts) => {
    expect(completed(query, kind).sort()).toStrictEqual(texts.sort());
  });

  it("are entities at the beginning of a query", () => {
    expect(completed("|")).toContain("nodes");
    expect(completed("  |")).toContain("resources");
  });

  it("contain only fields that can be projected, in a projection", () => {
    expect(completed("fact_paths[|")).not.toContain("depth");
    expect(completed("fact_paths{|")).toContain("depth");
  });
});

describe("completions of values", () => {
  it.each<[string, string[]]>([
    ["nodes{ certname = |", ['"web-01.example.com"', '"web-02.example.com"', String.raw`"a \"quoted\" one"`]],
    ['nodes{ certname = "|', ['web-01.example.com"', 'web-02.example.com"', String.raw`a \"quoted\" one"`]],
    ['nodes{ certname = "web-02|', ['web-02.example.com"']],
    ['nodes{ certname = "web-02|"', ["web-02.example.com"]],
    ["nodes{ certname = 'web-02|", ["web-02.example.com'"]],
    ['nodes{ certname in ["web-01.example.com", "web-|', ['web-01.example.com"', 'web-02.example.com"']],
    ['facts{ name = "ker|', ['kernel"']],
    ['facts{ name = "kernel" and value = "|', ['Linux"', 'windows"']],
    ['facts{ value = "|', []],
    ['resources{ type = "F|', ['File"']],
    ['nodes{ certname = "x" and resources{ type = "F|', ['File"']],
    ['nodes{ node_state = "in|', ['inactive"']],
    ["inventory[facts.o|", ["facts.os.name"]],
    ["inventory{ facts.k|", ["facts.kernel"]],
    ['nodes{ nosuch = "|', []],
  ])("%s", (query, texts) => {
    expect(completed(query).filter((text) => !text.startsWith("facts_"))).toStrictEqual(texts);
  });

  it.each([
    ['nodes{ certname = "we|', { entity: "nodes", field: "certname", typed: "we", narrowed: undefined }],
    [
      'resources{ type = "Class" and title ~ "|',
      { entity: "resources", field: "title", typed: "", narrowed: { field: "type", value: "Class" } },
    ],
    ["nodes{ certname |", undefined],
    ["nodes{ cert|", undefined],
    ["inventory{ facts.os.|", { entity: "inventory", field: "facts", typed: "facts.os.", narrowed: undefined }],
  ])("are queried for %s: %j", (query, place) => {
    expect(valuesWanted(...at(query))).toStrictEqual(place);
  });
});

it("a completion replaces the partial word from its beginning", () => {
  expect(completePql(...at("nodes{ certname is n|"), catalogue).start).toBe("nodes{ certname ".length);
  expect(completePql(...at('nodes{ certname = "we|'), catalogue).start).toBe('nodes{ certname = "'.length);
});

it("every beginning of a query can be completed without an error", () => {
  const query = `nodes[certname]{ resources{ type in ["Class", 'File'] and !(title ~ "a\\"b") } order by certname limit 5 } x`;
  for (let end = 0; end <= query.length; end++) {
    const { start, candidates } = completePql(query, end, catalogue);
    for (const { text } of candidates) expect(text.startsWith(query.slice(start, end))).toBe(true);
  }
});

import { describe, expect, it } from "vitest";
import { progressOf, withoutSemicolon } from "#cli/shell/statement.ts";

describe("a query that is being typed", () => {
  it.each<[string, "whole" | "goes on" | "in a text"]>([
    ["nodes{}", "whole"],
    ["nodes{ certname = ", "goes on"],
    ["nodes[certname]", "goes on"],
    ["nodes[certname]\n{", "goes on"],
    ["nodes[certname]\n{ limit 1 }\n", "whole"],
    ['nodes{ certname ~ "a', "in a text"],
    ["nodes{ certname ~ 'it\\'s", "in a text"],
    ['nodes{ certname ~ "a}" ', "goes on"],
    ["nodes{ (certname = 'a' or", "goes on"],
    ["nodes", "whole"],
    ["nodez", "whole"],
    ["nodes[certname { }", "whole"],
    ["nodes{ nosuch == 1", "whole"],
    ["nodes{}}", "whole"],
    ["nodes{\n\\q", "whole"],
    ['["from",', "goes on"],
    ['["from", "nodes"]', "whole"],
    ['["from", "nodes",\n["limit", 1]]', "whole"],
    ['["from", "no', "in a text"],
  ])("is complete or not: %j: %s", (query, state) => {
    const { isWhole, inText } = progressOf(query);
    expect(isWhole ? "whole" : inText ? "in a text" : "goes on").toBe(state);
  });

  it.each([
    ["nodes{};", "nodes{}"],
    [" nodes{} ;\n", "nodes{}"],
    ['nodes{ certname = ";" }', 'nodes{ certname = ";" }'],
  ])("is run without its semicolon: %j as %j", (typed, expected) => {
    expect(withoutSemicolon(typed)).toBe(expected);
  });
});

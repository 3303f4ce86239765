import { expect, it } from "vitest";
import { writeTree } from "#cli/output/tree.ts";

async function drawn(rows: readonly string[], columns?: number): Promise<string> {
  let text = "";
  const output = {
    write: (piece: string) => {
      text += piece;
      return Promise.resolve();
    },
  };
  async function* batches(): AsyncGenerator<readonly string[]> {
    yield rows;
  }
  await writeTree(batches(), output, { terminal: columns === undefined ? null : { columns, isColoured: false } });
  return text;
}

it("shows what is nested below its name, with every digit", async () => {
  const rows = [
    '{"name":"kernel","value":"Linux"}',
    '{"name":"os","value":{"family":"Debian","release":{"full":"12.10","n":1.0},"tags":["a",{"b":1,"long":2},[],[3]]}}',
    '{"name":"none","value":null}',
    '{"name":"odd","value":{"list":[],"object":{},"text":"","big":12345678901234567890123}}',
    '{"name":"\\u001b[31m","value":"two\\nlines"}',
  ];
  expect(await drawn(rows)).toBe(
    [
      "kernel  Linux",
      "os",
      "  family  Debian",
      "  release",
      "    full  12.10",
      "    n     1.0",
      "  tags",
      "    - a",
      "    - b     1",
      "      long  2",
      "    - []",
      "    - - 3",
      "none  null",
      "odd",
      "  list  []",
      "  object  {}",
      '  text  ""',
      "  big   12345678901234567890123",
      "\\u001b[31m  two\\nlines",
      "",
    ].join("\n"),
  );
});

it("cuts lines to the terminal", async () => {
  expect(await drawn(['{"name":"a","value":"a rather long text"}'], 12)).toBe("a  a rather…\n");
});

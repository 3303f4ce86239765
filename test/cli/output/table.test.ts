import { expect, it } from "vitest";
import { writeTable } from "#cli/output/table.ts";

async function drawn(rows: readonly string[], columns: number): Promise<string[]> {
  let text = "";
  const output = {
    write: (piece: string) => {
      text += piece;
      return Promise.resolve();
    },
  };
  async function* batches(): AsyncGenerator<readonly string[]> {
    yield* [rows.slice(0, 1), rows.slice(1)];
  }
  await writeTable(batches(), output, { columns });
  return text.split("\n").slice(0, -1);
}

it("cuts long cells so that the table fits the terminal", async () => {
  expect(await drawn(['{"a":1,"b":"a rather long text"}', '{"a":22,"b":"\\u001b[31mred"}'], 21)).toStrictEqual([
    "┌────┬──────────────┐",
    "│ a  │ b            │",
    "├────┼──────────────┤",
    "│ 1  │ a rather lo… │",
    "│ 22 │ \\u001b[31mred │".replace(/\\u.*red/, "\\u001b[31mr…"),
    "└────┴──────────────┘",
  ]);
});

it("turns rows into blocks when there are too many columns", async () => {
  const rows = ['{"first":"one value","second":"another one","third":[1.0]}', '{"first":"","second":null,"third":{}}'];
  expect(await drawn(rows, 30)).toStrictEqual([
    "┌────────┬─────────────┐",
    "│ first  │ one value   │",
    "│ second │ another one │",
    "│ third  │ [1.0]       │",
    "├────────┼─────────────┤",
    "│ first  │             │",
    "│ second │             │",
    "│ third  │ {}          │",
    "└────────┴─────────────┘",
  ]);
});

it("draws nothing for no rows", async () => {
  expect(await drawn([], 80)).toStrictEqual([]);
});

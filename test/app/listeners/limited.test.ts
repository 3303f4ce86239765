import { expect, it } from "vitest";
import { limited } from "#app/listeners/limited.ts";

it("a limited log writes 100 lines a minute, and how many it dropped", () => {
  let time = 0;
  const lines: string[] = [];
  const write = limited<[string]>(
    (line) => lines.push(line),
    (count) => lines.push(`${count} more`),
    () => time,
  );
  for (let n = 0; n < 250; n++) write(`line ${n}`);
  expect(lines).toHaveLength(100);
  time = 60_000;
  write("later");
  expect(lines.slice(99)).toEqual(["line 99", "150 more", "later"]);
});

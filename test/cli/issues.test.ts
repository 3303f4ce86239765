import { expect, it, vi } from "vitest";
import { census, SAMPLE, startServer } from "./census.ts";

// Each starts programs.
vi.setConfig({ testTimeout: 120_000 });

interface Row {
  readonly issue: string;
  readonly issue_state: string;
  readonly still: number;
  readonly nodes: number;
}

const args = ["issues", "--since", "7d", "--output", "json"];

async function rows<T>(...more: string[]): Promise<T[]> {
  const { stdout, stderr } = await census([...args, ...more]);
  expect(stderr).toBe("");
  return JSON.parse(stdout) as T[];
}

it("lists issues, those first that the most nodes still have, and those that are selected", async () => {
  const all = await rows<Row>("--archive", SAMPLE);
  expect(all.map(({ still }) => still)).toEqual(all.map(({ still }) => still).sort((one, other) => other - one));
  expect(await rows("--still", "--archive", SAMPLE)).toEqual(all.filter(({ still }) => still > 0));
  const isNew = ({ issue_state: state }: Row): boolean => state === "new" || state === "regressed";
  expect(await rows("--new", "--archive", SAMPLE)).toEqual(all.filter(isNew));
});

it("lists the nodes of one issue, whose id may be cut", async () => {
  const [most] = await rows<Row>("--archive", SAMPLE);
  const nodes = await rows<{ has_it: boolean }>("--archive", SAMPLE, most?.issue.slice(0, 9) ?? "");
  expect(nodes).toHaveLength(most?.nodes ?? 0);
  expect(nodes.filter(({ has_it: has }) => has)).toHaveLength(most?.still ?? 0);
});

it("lists the same of a server", async () => {
  const server = await startServer(["open", SAMPLE, "--no-browser", "--port", "0"]);
  try {
    expect(await rows("--url", server.url)).toEqual(await rows("--archive", SAMPLE));
  } finally {
    await server.stop();
  }
});

async function exit(...more: string[]): Promise<number | null> {
  return (await census([...args, "--exit-code", ...more])).code;
}

it("exits with 1 if there are issues, and with 2 on errors", async () => {
  expect(await exit("--archive", SAMPLE)).toBe(1);
  expect(await exit("--node", "nowhere", "--archive", SAMPLE)).toBe(0);
  expect(await exit("--archive", "nowhere.tgz")).toBe(2);
  expect(await exit("ffff", "--archive", SAMPLE)).toBe(2);
});

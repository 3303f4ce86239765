import { expect, it } from "vitest";
import { Database } from "#storage/engine/database.ts";
import { collectGarbage } from "#storage/ingest/threads/heap.ts";
import { sharedTexts } from "#storage/nodes/columns.ts";
import { NodeIndex } from "#storage/nodes/node-index.ts";
import { migrate } from "#storage/schema/migrate.ts";

it("reads all nodes in their order, also those that the open transaction has added", async () => {
  const database = await Database.open({});
  await migrate(database);
  const insert = "INSERT INTO nodes (id, certname, deactivated) SELECT i, 'node ' || i, if(i % 1000 = 0, now(), NULL)";
  await database.execute(`${insert} FROM range(1, 5001) AS t(i)`);
  await database.execute("DELETE FROM nodes WHERE id = 3000");
  const index = new NodeIndex();
  await database.transaction(async (tx) => {
    await tx.execute("nodes", `${insert} FROM range(5001, 5011) AS t(i)`);
    await index.load(tx);
  });
  const ids = Array.from({ length: 5010 }, (_, at) => at + 1).filter((id) => id !== 3000);
  expect([...index.all()].map(({ id }) => id)).toEqual(ids);
  expect(index.idOf("node 5010")).toBe(5010);
  expect(index.change("another").id).toBe(5011);
  await database.close();
});

it("reads an empty table", async () => {
  const database = await Database.open({});
  await migrate(database);
  const index = new NodeIndex();
  await database.transaction((tx) => index.load(tx));
  expect(index.isEmpty).toBe(true);
  expect(index.change("first").id).toBe(1);
  await database.close();
});

it("has a text in memory once that many nodes have", async () => {
  const database = await Database.open({});
  await migrate(database);
  const [nodes, length] = [20_000, 200];
  await database.execute(
    `INSERT INTO nodes (id, certname, ${sharedTexts.join(", ")})
     SELECT i, 'node ' || i, ${sharedTexts.map((_, at) => `repeat('${at}', ${length})`).join(", ")} FROM range(1, ${nodes + 1}) AS t(i)`,
  );
  const index = new NodeIndex();
  collectGarbage();
  const before = process.memoryUsage().heapUsed;
  await database.transaction((tx) => index.load(tx));
  collectGarbage();
  const perNode = (process.memoryUsage().heapUsed - before) / nodes;
  expect(index.get("node 5000")?.report_status).toBe(String(sharedTexts.indexOf("report_status")).repeat(length));
  // These texts alone would be 1800 bytes.
  expect(perNode).toBeLessThan(1000);
  await database.close();
});

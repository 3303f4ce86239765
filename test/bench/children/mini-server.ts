import { createServer, type RequestListener } from "node:http";
import { defineCommand, runMain } from "citty";
import { H3 } from "h3";
import { toNodeHandler } from "h3/node";
import { duckdb } from "#storage/engine/duckdb.ts";

/** The least that a server like ours does before its first answer: what the packaged program is measured beside. */
const mini = defineCommand({
  run: async () => {
    const { DuckDBInstance } = await duckdb();
    const connection = await (await DuckDBInstance.create(":memory:")).connect();
    const app = new H3().get("/", async () =>
      (await connection.runAndReadAll("SELECT 42 AS answer")).getRowObjectsJS(),
    );
    const server = createServer(toNodeHandler(app) as RequestListener).listen(0, "127.0.0.1", () => {
      const address = server.address();
      const port = typeof address === "object" ? address?.port : undefined;
      process.stdout.write(`is ready on http://127.0.0.1:${port}\n`);
    });
  },
});

void runMain(mini);

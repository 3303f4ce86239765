import { join } from "node:path";
import { expect, it } from "vitest";
import { Database } from "#storage/engine/database.ts";
import { Store } from "#storage/store.ts";
import { temporaryFolder } from "#test/fixture-folder.ts";

it("a store that follows a log does not begin a queue of its own where the setting is missing", async () => {
  await using folder = await temporaryFolder();
  await (await Store.open({ directory: folder.path })).close();
  const database = await Database.open({ path: join(folder.path, "census.duckdb"), threads: 1 });
  await database.execute("DELETE FROM queue_progress");
  await database.execute("INSERT INTO queue_progress VALUES ('the-log', 7, '')");
  await database.close();
  await expect(Store.open({ directory: folder.path })).rejects.toMatchObject({
    code: "bad-file",
    message: `${folder.path}: follows the command log the-log together with other servers, and command-log is not set; set command-log in [census] to the address of that log`,
  });
});

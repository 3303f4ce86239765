import { join } from "node:path";
import { expect, it } from "vitest";
import { Random } from "#fixtures/random.ts";
import { Store } from "#storage/store.ts";
import { census, start } from "#test/cli/census.ts";
import { temporaryFolder } from "#test/fixture-folder.ts";
import { freePort } from "#test/free-port.ts";
import { byLength } from "#test/length.ts";
import { serverProcess } from "#test/running.ts";
import { randomCommands } from "#test/storage/history/random-commands.ts";
import { contentOf } from "./origin.ts";

const KILLS = byLength({ short: 8, long: 20 });
const COMMANDS_BETWEEN = 8;

it("is equal after either side was killed at random moments", async () => {
  await using folder = await temporaryFolder();
  const [seed, random] = [11, new Random(11, "kills")];
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const [ofOrigin, ofCopy] = [join(folder.path, "origin"), join(folder.path, "copy")];
  const settings = ["--history-ttl", "0s", "--report-ttl", "3650d", "--resource-events-ttl", "3650d"];
  const kept = ["--node-ttl", "0s", "--node-purge-ttl", "0s"];
  const serveOrigin = () =>
    serverProcess(start(["serve", "--data", ofOrigin, "--port", String(port), ...settings, ...kept]));
  const serveCopy = () =>
    serverProcess(
      start(["serve", "--data", ofCopy, "--port", "0", "--follow", url, "--follow-interval", "1s", ...settings]),
    );
  let origin = serveOrigin();
  await origin.ready;
  let copy = serveCopy();
  const commands = randomCommands(seed, KILLS * COMMANDS_BETWEEN);
  for (let kill = 0; kill < KILLS; kill++) {
    for (const { submission } of commands.slice(kill * COMMANDS_BETWEEN, (kill + 1) * COMMANDS_BETWEEN)) {
      const { command, version, certname, payload } = submission;
      const query = `command=${command.replaceAll(" ", "_")}&version=${version}&certname=${certname}`;
      const headers = { "content-type": "application/json" };
      const answer = await fetch(`${url}/pdb/cmd/v1?${query}`, { method: "POST", headers, body: payload });
      expect(answer.status).toBe(200);
    }
    await copy.ready;
    await new Promise((resolve) => setTimeout(resolve, random.integer(0, 2500)));
    if (random.chance(0.5)) {
      await copy.end("SIGKILL");
      copy = serveCopy();
    } else {
      await origin.end("SIGKILL");
      origin = serveOrigin();
      await origin.ready;
    }
  }
  await copy.end("SIGTERM");
  const last = await census(["follow", url, "--data", ofCopy, "--until-equal", "--every", "1s"], {
    env: {
      CENSUS_HISTORY_TTL: "0s",
      CENSUS_DATABASE_REPORT_TTL: "3650d",
      CENSUS_DATABASE_RESOURCE_EVENTS_TTL: "3650d",
    },
  });
  expect(last).toMatchObject({ code: 0, stderr: "" });
  await origin.end("SIGTERM");
  const stores = await Promise.all([ofOrigin, ofCopy].map((directory) => Store.open({ directory })));
  const [expected, found] = await Promise.all(stores.map((store) => contentOf(store)));
  expect(found).toStrictEqual(expected);
  await Promise.all(stores.map((store) => store.close()));
});

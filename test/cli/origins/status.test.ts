import { expect, it } from "vitest";
import { census, start } from "#test/cli/census.ts";

import { temporaryFolder } from "#test/fixture-folder.ts";
import { a } from "#test/fixture-store.ts";
import { running } from "#test/running.ts";
import { startOrigin } from "./origin.ts";

it("shows how an origin is followed in the status, the metrics and the explorer, and refuses commands", async () => {
  const origin = await startOrigin();
  await origin.store.submit(a.facts("web"));
  await using folder = await temporaryFolder();
  const words = ["follow", `eu=${origin.url}`, "--data", `${folder.path}/data`, "--port", "0", "--every", "1s"];
  const server = await running(start(words));
  const get = async (path: string): Promise<string> => (await fetch(`${server.url}${path}`)).text();
  await expect.poll(async () => get("/pdb/query/v4/nodes")).toContain('"certname":"web"');
  await expect
    .poll(async () => get("/status/v1/services/puppetdb-status"))
    .toMatch(/"name":"eu".*"state":"following".*"nodes":1,"missing_reports":0/);
  expect(await get("/explorer/api/v1/about")).toContain('"state":"following"');
  expect(await get("/metrics")).toMatch(/^census_follow_behind_seconds\{origin="eu"\} \d/m);
  const status = await census(["status", "--url", server.url, "--output", "table"]);
  expect(status.stdout).toMatch(/^origin eu +following http:\S+, \d+ s behind, 1 nodes$/m);
  const refused = await fetch(`${server.url}/pdb/cmd/v1?command=replace_facts&version=5&certname=x`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: "{}",
  });
  expect(refused.status).toBe(409);
  expect(await refused.text()).toContain(`this server follows ${origin.url}`);
  // A server that is gone does not end the copy.
  await origin.close();
  await expect
    .poll(async () => get("/status/v1/services/puppetdb-status"))
    .toMatch(/"state":"unreachable".*"problem":"connection refused"/);
  expect(await get("/pdb/query/v4/nodes")).toContain('"certname":"web"');
  expect(await server.stop()).toBe(0);
});

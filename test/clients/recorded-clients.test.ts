import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { census, SAMPLE, startServer, workFolder } from "#test/cli/census.ts";
import type { Running } from "#test/running.ts";
import { loadPopulation, type PopulationCommand } from "#test/conformance/population.ts";
import type { Answer } from "#test/conformance/recording.ts";
import { type Client, openClient } from "#test/conformance/request.ts";
import { recordedClients } from "./recorded-clients.ts";
import type { ClientRequest, RecordedClient } from "./requests/client-request.ts";
import { PACKAGED, TIME } from "./requests/sample.ts";

const data = join(workFolder(), "data");

/** A node whose packages are known. */
const packaged: PopulationCommand = {
  command: "replace_facts",
  version: "5",
  certname: PACKAGED,
  payload: JSON.stringify({
    certname: PACKAGED,
    environment: "production",
    producer_timestamp: TIME,
    producer: null,
    values: { kernel: "Linux" },
    package_inventory: [["openssl", "3.0.19", "apt"]],
  }),
};

describe("requests of clients, against the sample population", () => {
  let server: Running;
  let client: Client;

  beforeAll(async () => {
    const { code, stderr } = await census(["import", SAMPLE, "--data", data]);
    if (code !== 0) throw new Error(stderr);
    server = await startServer(["serve", "--data", data, "--port", "0", "--now", TIME]);
    client = openClient(server.url);
    const refused = await loadPopulation(client, [packaged]);
    if (refused.length > 0) throw new Error(refused.join("\n"));
  });

  afterAll(async () => {
    client.close();
    await server.stop();
  });

  describe.each(recordedClients)("$client", ({ headers, requests }) => {
    it.each(requests)("$what", async (request) => {
      expect(problemsOf(request, await send(client, headers, request))).toStrictEqual([]);
    });
  });
});

function send(client: Client, headers: RecordedClient["headers"], request: ClientRequest): Promise<Answer> {
  const { method, path, body } = request;
  const all = { ...headers, ...request.headers };
  return client.send({ method, path, headers: all, ...(body === undefined ? {} : { body }) });
}

/** What an answer lacks of what the client reads. */
function problemsOf(request: ClientRequest, { status, headers, text }: Answer): string[] {
  const { status: expected = 200, answer, answerHeaders = {} } = request;
  if (status !== expected) return [`status ${status}: ${text.slice(0, 300)}`];
  const wrongHeaders = Object.entries(answerHeaders).flatMap(([name, pattern]) => {
    const value = headers[name];
    return value !== undefined && pattern.test(value) ? [] : [`${name}: ${value}`];
  });
  return [...wrongHeaders, ...wrongText(answer, text)];
}

function wrongText(answer: ClientRequest["answer"], text: string): string[] {
  if (answer instanceof RegExp) return answer.test(text) ? [] : [text.slice(0, 300)];
  const issues = answer.safeParse(JSON.parse(text)).error?.issues ?? [];
  return issues.slice(0, 5).map(({ path, message }) => `${path.join(".")}: ${message}`);
}

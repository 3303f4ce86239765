import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { recordedClients } from "./recorded-clients.ts";

const page = readFileSync(new URL("../../docs/clients.md", import.meta.url), "utf8");

/** Client → state, of the rows that have both. */
const states = new Map(
  [...page.matchAll(/^\| (?<client>[^|]+?) \| (?<state>[^|]+?) \| .* \|$/gm)].map(({ groups }) => [
    groups?.["client"] ?? "",
    groups?.["state"] ?? "",
  ]),
);

it.each(recordedClients)("docs/clients.md says that requests of $client are replayed", ({ client }) => {
  const [, state] = [...states].find(([name]) => name.startsWith(client)) ?? [];
  expect(state).toContain("replayed");
});

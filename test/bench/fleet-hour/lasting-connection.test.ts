import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { WireAnswer, WireConnection } from "../wire.ts";
import { LastingConnection } from "./lasting-connection.ts";

let server: Server;
let opened = 0;
beforeEach(async () => {
  opened = 0;
  server = createServer((request, response) => response.end(request.url));
  server.on("connection", () => opened++);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
});
afterEach(() => server.close());

function url(): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const getOne = (wire: WireConnection): Promise<WireAnswer> => wire.get("/one");

it("stays open between requests, and is opened again after the server has closed it", async () => {
  const connection = new LastingConnection(url());
  expect((await connection.request(getOne)).body.toString()).toBe("/one");
  await connection.request(getOne);
  expect(opened).toBe(1);
  server.closeAllConnections();
  expect((await connection.request(getOne)).status).toBe(200);
  expect(opened).toBe(2);
  connection.close();
});

it("fails when the server has ended", async () => {
  const connection = new LastingConnection(url());
  await connection.request(getOne);
  server.closeAllConnections();
  server.close();
  await expect(connection.request(getOne)).rejects.toThrow(/ECONNREFUSED/);
});

import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { answerTimes, WireConnection } from "./wire.ts";

/** Longer than what is read at a time, with the end of a chunked answer inside. */
const long = `0\r\n\r\n${"Zürich ".repeat(80_000)}0\r\n\r\n`;

const server = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on("data", (part: Buffer) => parts.push(part));
  request.on("end", () => {
    const sent = Buffer.concat(parts).toString();
    switch (request.url) {
      case "/echo":
        response.end(`${request.method} ${sent}`);
        return;
      case "/chunked":
        response.write(long.slice(0, 7));
        response.write(long.slice(7));
        response.end();
        return;
      case "/long":
        response.end(long);
        return;
      case "/gone":
        request.socket.destroy();
        return;
      default:
        response.writeHead(404).end();
    }
  });
});
let url: string;
beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

describe("a connection", () => {
  it("returns one response after another, of any length and kind", async () => {
    const connection = await WireConnection.open(url);
    const got: [number, string][] = [];
    const note = ({ status, body }: { status: number; body: Buffer }): number => got.push([status, body.toString()]);
    note(await connection.get("/echo"));
    note(await connection.post("/echo", Buffer.from("Köln")));
    note(await connection.get("/chunked"));
    note(await connection.get("/nowhere"));
    note(await connection.get("/long"));
    connection.close();
    expect(got).toEqual([
      [200, "GET "],
      [200, "POST Köln"],
      [200, long],
      [404, ""],
      [200, long],
    ]);
  });

  it("is timed, except for the first requests", async () => {
    const connection = await WireConnection.open(url);
    expect(await answerTimes(connection, "/echo", { warmUps: 2, runs: 3 })).toHaveLength(3);
    await expect(answerTimes(connection, "/nowhere", { warmUps: 0, runs: 1 })).rejects.toThrow("/nowhere: 404");
    connection.close();
  });

  it("reports that the server closed it", async () => {
    const connection = await WireConnection.open(url);
    await expect(connection.get("/gone")).rejects.toThrow(/closed the connection|ECONNRESET/);
    await expect(connection.get("/echo")).rejects.toThrow(/closed the connection|ECONNRESET/);
  });
});

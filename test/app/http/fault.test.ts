import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { describe, expect, it } from "vitest";
import { faultResponse } from "#app/http/fault.ts";
import { CensusError } from "#storage/errors.ts";

const request = (): IncomingMessage => Object.assign(new IncomingMessage(new Socket()), { url: "/", method: "GET" });

describe("an error that ends a request", () => {
  it("is 503 with Retry-After if the engine lacked memory", () => {
    const reported: unknown[] = [];
    const error = new Error(
      "Out of Memory Error: could not allocate block of size 256.0 KiB (244.1 MiB/244.1 MiB used)",
    );
    const answer = faultResponse(error, request(), (fault) => reported.push(fault));
    expect(answer.status).toBe(503);
    expect(answer.headers).toMatchObject({ "retry-after": "10" });
    expect(answer.body).not.toContain("KiB");
    expect(reported).toEqual([]);
  });

  it("is 503 with a reason, reported with the engine's message, if the engine failed", () => {
    const reported: unknown[] = [];
    const error = new Error('Binder Error: Referenced column "nowhere" not found');
    const answer = faultResponse(error, request(), (fault) => reported.push(fault));
    expect(answer).toMatchObject({ status: 503, headers: { "retry-after": "10" } });
    expect(answer.body).toBe(
      "the database engine failed to compute the result; try again later, or write the query differently; the log of the service has the details",
    );
    expect(reported).toEqual([error]);
  });

  it("is 400 if its message quotes the request", () => {
    const error = new CensusError("bad-input", "no such field: Out of Memory Error");
    expect(faultResponse(error, request()).status).toBe(400);
  });

  it("is 500, reported with its request, if it is a defect", () => {
    const reported: string[] = [];
    const answer = faultResponse(new TypeError("undefined is not a function"), request(), (_, target) =>
      reported.push(target),
    );
    expect(answer.status).toBe(500);
    expect(reported).toEqual(["GET /"]);
  });
});

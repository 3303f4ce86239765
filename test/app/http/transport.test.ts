import { request } from "node:http";
import { connect } from "node:net";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { populatedStore } from "#test/fixture-store.ts";
import { queryPath, serve, type Served } from "#test/app/fixture-service.ts";

let service: Served;
beforeAll(async () => {
  service = await serve(await populatedStore());
});
afterAll(() => service.close());

const JSON_TYPE = { "content-type": "application/json" };

describe("methods (reference/http.md §2)", () => {
  it.each(["PUT", "DELETE", "PATCH", "OPTIONS"])("%s of a query is refused", async (method) => {
    for (const path of ["/nodes", "", "/nodes/alpha", "/events"]) {
      expect(await service.send(method, queryPath(path))).toMatchObject({
        status: 400,
        headers: { "content-type": "text/plain;charset=utf-8" },
        text: "Census queries must be made via GET/POST",
      });
    }
  });

  it("HEAD of a query is refused", async () => {
    expect(await service.send("HEAD", queryPath("/nodes"))).toMatchObject({ status: 400 });
  });

  it.each(["GET", "POST", "PUT", "DELETE"])("%s of a route without a query is accepted", async (method) => {
    expect(await service.send(method, queryPath("/environments/staging"))).toMatchObject({
      status: 200,
      text: '{\n  "name" : "staging"\n}',
    });
  });

  it("an unknown path returns 404 for any method", async () => {
    expect(await service.send("DELETE", queryPath("/bogus"))).toMatchObject({ status: 404, text: "Not Found" });
  });
});

describe("Accept (reference/http.md §3)", () => {
  it.each([
    [undefined, 200],
    ["*/*", 200],
    ["application/json", 200],
    ["application/*", 200],
    ["text/html, application/json", 200],
    ["text/html,*/*", 200],
    // quality values are not understood
    ["application/json;q=0.9", 406],
    ["text/html,*/*;q=0.8", 406],
    ["text/html", 406],
    ["application/jsonx", 406],
    ["Application/JSON", 406],
  ])("%s: %i", async (accept, status) => {
    const headers = accept === undefined ? {} : { accept };
    for (const path of [queryPath("/nodes"), "/pdb/meta/v1/version"]) {
      const answer = await service.get(path, headers);
      expect(answer).toMatchObject({ status, headers: { "content-type": "application/json;charset=utf-8" } });
      expect(
        answer.text.includes('{"kind":"not-acceptable","msg":"accept header must include application/json"}'),
      ).toBe(status === 406);
    }
  });

  it("is checked before the route", async () => {
    expect(await service.get(queryPath("/bogus"), { accept: "text/html" })).toMatchObject({
      status: 406,
      text: expect.stringContaining("must include application/json"),
    });
  });
});

describe("Content-Type (reference/http.md §3)", () => {
  it.each([
    ["application/json", 200],
    ["application/json; charset=utf-8", 200],
    ["Application/JSON", 200],
    ["text/plain", 415],
    ["application/x-www-form-urlencoded", 415],
  ])("of a POST: %s: %i", async (type, status) => {
    const answer = await service.send("POST", queryPath("/nodes"), "{}", { "content-type": type });
    const msg = `content-type ${type} is not a supported type for request of type :post at /pdb/query/v4/nodes`;
    expect(answer.status).toBe(status);
    expect(answer.text === JSON.stringify({ kind: "unsupported-type", msg })).toBe(status === 415);
  });

  it("of a GET is ignored", async () => {
    expect(await service.get(queryPath("/nodes"), { "content-type": "text/plain" })).toMatchObject({ status: 200 });
  });
});

const rows = async (path: string, body: string): Promise<unknown> => {
  const answer = await service.send("POST", queryPath(path), body, JSON_TYPE);
  return answer.status === 200 ? (JSON.parse(answer.text) as unknown[]).length : `${answer.status} ${answer.text}`;
};

describe("POST (reference/query.md §2)", () => {
  it.each<[path: string, body: string, expected: unknown]>([
    ["/nodes", "", 4],
    ["/nodes", "{}", 4],
    ["/nodes", '{"query":null}', 4],
    ["/nodes", '{"query":["=","certname","alpha"]}', 1],
    ["/nodes", '{"query":"[\\"=\\",\\"certname\\",\\"alpha\\"]"}', 1],
    ["/nodes", '{"limit":2,"order_by":[{"field":"certname"}]}', 2],
    ["/nodes", '{"limit":"2"}', 2],
    ["", '{"query":"nodes{certname = \\"alpha\\"}"}', 1],
    ["", '{"query":["from","nodes"]}', 4],
    ["", "{}", '400 This query must be of the form ["from", <entity>, (<optional-query>)].'],
    ["/nodes", '{"bogus":1}', "400 Unsupported query parameter 'bogus'"],
    ["/nodes", '{"order_by":"[]"}', expect.stringMatching(/^400 Illegal value '\[\]' for :order_by; /)],
    ["/nodes", "[]", expect.stringMatching(/^400 /)],
    ["/nodes", "{", expect.stringMatching(/^400 Json parse error at line 1/)],
  ])("%s %s", async (path, body, expected) => {
    expect(await rows(path, body)).toEqual(expected);
  });

  it("ignores parameters of the URL", async () => {
    const answer = await service.send("POST", `${queryPath("/nodes")}?limit=1&bogus=1`, "{}", JSON_TYPE);
    expect(JSON.parse(answer.text)).toHaveLength(4);
  });
});

describe("GET", () => {
  it("accepts a query in a form-encoded body, as puppetdb-ruby sends it", async () => {
    const body = `query=${encodeURIComponent('["=","certname","alpha"]')}`;
    const answer = await service.send("GET", queryPath("/nodes"), body, {
      "content-type": "application/x-www-form-urlencoded",
    });
    expect(JSON.parse(answer.text)).toHaveLength(1);
  });

  it("treats an undecodable parameter as absent", async () => {
    expect(JSON.parse((await service.get("/pdb/query/v4/nodes?query=%ZZ&")).text)).toHaveLength(4);
  });
});

describe("X-Records", () => {
  it.each([
    [{ include_total: "true" }, "4"],
    [{ include_total: "TRUE", limit: "1" }, "4"],
    [{ include_total: "true", query: ["=", "certname", "nosuch"] }, "0"],
    [{ include_total: "yes" }, undefined],
    [{}, undefined],
  ])("%j: %s", async (parameters, expected) => {
    const answer = await service.get(queryPath("/nodes", parameters));
    expect(answer.status).toBe(200);
    expect(answer.headers["x-records"]).toBe(expected);
  });
});

describe("the layout of a response", () => {
  it("rows are compact", async () => {
    const answer = await service.get(queryPath("/environments", { order_by: [{ field: "name" }] }));
    expect(answer.text).toBe('[{"name":"production"},{"name":"staging"}]');
  });

  it("pretty rows are indented", async () => {
    const answer = await service.get(queryPath("/environments", { order_by: [{ field: "name" }], pretty: "true" }));
    expect(answer.text).toBe('[ {\n  "name" : "production"\n}, {\n  "name" : "staging"\n} ]');
  });

  it.each([
    ["", "[]"],
    ["true", "[ ]"],
  ])("no rows, pretty=%s: %s", async (pretty, text) => {
    const answer = await service.get(queryPath("/environments", { query: ["=", "name", "x"], pretty }));
    expect(answer.text).toBe(text);
  });

  it("pretty numbers keep their digits", async () => {
    const query = ["and", ["=", "certname", "alpha"], ["in", "name", ["array", ["huge", "float"]]]];
    const answer = await service.get(queryPath("/facts", { query, pretty: "true" }));
    expect(answer.text).toContain('"value" : 123456789012345678901234567890');
    expect(answer.text).toContain('"value" : 5.0');
  });

  it("ast_only returns the translated query", async () => {
    const answer = await service.get(queryPath("", { query: 'nodes[certname]{certname = "a"}', ast_only: "true" }));
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.text)).toEqual(["from", "nodes", ["extract", ["certname"], ["=", "certname", "a"]]]);
    expect(answer.text).toContain('[ "from", "nodes", ');
  });

  it("ast_only of an invalid query is refused", async () => {
    expect(await service.get(queryPath("", { query: "nodes{bogus = 1}", ast_only: "true" }))).toMatchObject({
      status: 400,
    });
    expect(await service.get(queryPath("/nodes", { ast_only: "true" }))).toMatchObject({
      status: 400,
      text: "Unsupported query parameter 'ast_only'",
    });
  });

  it.each<[path: string, parameters: Record<string, string>, plans: number]>([
    ["/nodes", {}, 1],
    ["/event-counts", { summarize_by: "certname" }, 1],
    ["/aggregate-event-counts", { summarize_by: "certname,resource" }, 2],
  ])("explain returns the time of each step of the plan: %s", async (path, parameters, plans) => {
    const answer = await service.get(queryPath(path, { ...parameters, explain: "analyze" }));
    const Plan: unknown = expect.objectContaining({
      "Node Type": expect.any(String),
      "Actual Rows": expect.any(Number),
      "Actual Total Time": expect.any(Number),
      Plans: expect.any(Array),
    });
    const each = { "query plan": [{ Plan, "Execution Time": expect.any(Number) as unknown }] };
    expect(JSON.parse(answer.text)).toEqual(Array.from({ length: plans }, () => each));
  });
});

const raw = (encoding: string | undefined): Promise<{ headers: Record<string, unknown>; body: Buffer }> =>
  new Promise((resolve, reject) => {
    const headers = encoding === undefined ? {} : { "accept-encoding": encoding };
    request(service.url + queryPath("/nodes"), { headers }, (response) => {
      response.toArray().then((chunks) => resolve({ headers: response.headers, body: Buffer.concat(chunks) }), reject);
    })
      .once("error", reject)
      .end();
  });

describe("compression (reference/http.md §4)", () => {
  it.each([
    ["gzip", true],
    ["deflate, gzip", true],
    ["gzip;q=0.5", true],
    ["*", true],
    [undefined, false],
    ["identity", false],
    ["gzip;q=0", false],
    ["br", false],
  ])("Accept-Encoding %s: %s", async (encoding, isZipped) => {
    const { headers, body } = await raw(encoding);
    expect(headers["content-encoding"]).toBe(isZipped ? "gzip" : undefined);
    expect(headers["vary"]).toBe("Accept-Encoding, User-Agent");
    expect(JSON.parse((isZipped ? gunzipSync(body) : body).toString())).toHaveLength(4);
  });
});

describe("other paths", () => {
  it("the version and the server's time are indented objects", async () => {
    expect((await service.get("/pdb/meta/v1/version")).text).toMatch(/^\{\n {2}"version" : "[^"]+"\n\}$/);
    expect((await service.get("/pdb/meta/v1/server-time")).text).toBe(
      '{\n  "server_time" : "2026-11-21T00:00:00.000Z"\n}',
    );
    expect(await service.send("HEAD", "/pdb/meta/v1/version")).toMatchObject({ status: 200, text: "" });
    expect(await service.send("POST", "/pdb/meta/v1/version")).toMatchObject({ status: 200 });
  });

  it("the simple status is one word", async () => {
    expect(await service.get("/status/v1/simple")).toMatchObject({ status: 200, text: "running" });
  });
});

describe("hostile requests", () => {
  it.each([
    "/pdb/query/v4/nodes/%00",
    "/pdb/query/v4/nodes/%FF%FE",
    "/pdb/query/v4/nodes/%ZZ",
    "/pdb/query/v4/facts/%27%3B%20DROP%20TABLE%20nodes%3B%20--",
    "/pdb/query/v4/nodes/..%2f..%2fetc%2fpasswd",
    "/pdb/query/v4/nodes/__proto__",
    `/pdb/query/v4/nodes/${"a".repeat(5000)}`,
    "/pdb/query/v4/nodes?query=%00",
    "/pdb/query/v4/nodes?__proto__=1",
    "/pdb/query/v4/nodes?query=%5B%22%3D%22%2C%22certname%22%2C%22%5Cud800%22%5D",
    `/pdb/query/v4/nodes?query=${"%5B".repeat(2000)}`,
  ])("%s gets a response without a defect", async (path) => {
    expect([200, 400, 404]).toContain((await service.get(path)).status);
    expect(service.faults.splice(0)).toEqual([]);
  });

  it.each(["/pdb/cmd/v1", "/pdb/query/v4/nodes", "/pdb/admin/v1/cmd"])(
    "to %s whose client leaves before the end of the body cause no defect",
    async (path) => {
      const { hostname, port } = new URL(service.url);
      const head = `POST ${path} HTTP/1.1\r\nHost: ${hostname}\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n`;
      const socket = connect(Number(port), hostname);
      await new Promise<void>((resolve) => socket.write(`${head}{"comm`, () => resolve()));
      // By the time that another request was answered this one has been begun.
      await service.get("/status/v1/simple");
      socket.destroy();
      for (let turn = 0; turn < 5; turn++) await service.get("/status/v1/simple");
      expect(service.faults.splice(0)).toEqual([]);
    },
  );
});

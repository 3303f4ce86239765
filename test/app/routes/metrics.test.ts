import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { javaArgument, openJolokia, posted } from "#test/app/metrics/jolokia-site.ts";

let service: Awaited<ReturnType<typeof openJolokia>>;
beforeAll(async () => {
  service = await openJolokia();
});
afterAll(() => service[Symbol.asyncDispose]());

const post: (body: unknown, path?: string, headers?: Record<string, string>) => Promise<unknown> = (...given) =>
  posted(service, ...given);

describe("the transport of /metrics/v2", () => {
  it("is 200 with headers against caching, also for errors", async () => {
    for (const path of ["", "/read/java.lang:type=Nope", "/nope"]) {
      const { status, headers } = await service.get(`/metrics/v2${path}`);
      expect(status).toBe(200);
      expect(headers).toMatchObject({
        "content-type": "application/json;charset=utf-8",
        "cache-control": "no-cache",
        pragma: "no-cache",
      });
      expect(Date.parse(headers["date"] ?? "") - Date.parse(headers["expires"] ?? "")).toBe(3_600_000);
    }
  });

  it("escapes slashes", async () => {
    const { text } = await service.get("/metrics/v2/read/svc.http:name=!/pdb!/cmd!/v1.200/Count");
    expect(text).toContain(String.raw`"mbean":"svc.http:name=\/pdb\/cmd\/v1.200"`);
  });

  it("is plain text on request", async () => {
    const { text, headers } = await service.get("/metrics/v2/search/java.lang:type=Memory?mimeType=text/plain");
    expect(headers["content-type"]).toBe("text/plain;charset=utf-8");
    expect(JSON.parse(text)).toMatchObject({ value: ["java.lang:type=Memory"] });
  });

  it("accepts the path as a parameter", async () => {
    expect(await service.getJson("?p=search/java.lang:type=Memory")).toMatchObject({
      value: ["java.lang:type=Memory"],
    });
  });

  it.each(["PUT", "DELETE", "HEAD", "OPTIONS"])("refuses %s", async (method) => {
    const answer = await service.send(method, "/metrics/v2/list");
    expect(answer.status).toBe(403);
    expect(answer.headers["content-type"]).toBe("text/plain;charset=utf-8");
    const text = `Forbidden request: /metrics/v2/list (method :${method.toLowerCase()}). Please see the server logs for details.`;
    expect(answer.text).toBe(method === "HEAD" ? "" : text);
  });

  it("allows pages of its own origin to read a response", async () => {
    const { host } = new URL(service.url);
    const { headers } = await service.get("/metrics/v2/version", { origin: service.url, host });
    expect(headers).toMatchObject({
      "access-control-allow-origin": service.url,
      "access-control-allow-credentials": "true",
    });
  });

  it.each(["http://evil.example", "null"])(
    "does not allow a page of the origin %s to read a response",
    async (origin) => {
      const { headers } = await service.get("/metrics/v2/version", { origin });
      expect(Object.keys(headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
    },
  );
});

describe("a callback", () => {
  const path = "/metrics/v2/search/java.lang:type=Memory?callback=show";

  it("wraps the response", async () => {
    const { text, headers } = await service.get(path);
    expect(headers["content-type"]).toBe("text/javascript;charset=utf-8");
    expect(text).toMatch(/^show\(\{.*\}\);$/);
  });

  it.each([
    ["cross-site", undefined],
    ["same-site", undefined],
    [undefined, "http://evil.example/page"],
  ])("is refused for a page of another origin (%s, %s)", async (site, referer) => {
    const { text } = await service.get(path, {
      ...(site === undefined ? {} : { "sec-fetch-site": site }),
      ...(referer === undefined ? {} : { referer }),
    });
    expect(JSON.parse(text)).toMatchObject({ status: 400, error_type: javaArgument });
  });

  it("may be a name of a module", async () => {
    expect((await service.get(path.replace("show", "pages.show"))).text).toMatch(/^pages\.show\(\{.*\}\);$/);
  });

  it.each(["alert(1)", ".a", "a.", "a..b", "1a", "a[0]", "a;b", "a%0A", "%C5%BFhow", "%3Cscript%3E", "a".repeat(129)])(
    "has to be a valid name: %s",
    async (name) => {
      const { text, headers } = await service.get(`/metrics/v2/list?callback=${name}`);
      expect(headers["content-type"]).toBe("application/json;charset=utf-8");
      expect(JSON.parse(text)).toMatchObject({
        status: 400,
        error: `${javaArgument} : Invalid callback name given, which must be a valid javascript function name`,
      });
    },
  );
});

describe("a request that fails", () => {
  // reference/metrics.md §2
  it.each([
    ["/read/java.lang:type=Memory/Nope", 404, "javax.management.AttributeNotFoundException : No such attribute: Nope"],
    [
      "/read/java.lang:type=Memory/Verbose,Nope",
      404,
      "javax.management.AttributeNotFoundException : No such attribute: Nope",
    ],
    ["/read/java.lang:type=Nope", 404, "javax.management.InstanceNotFoundException : java.lang:type=Nope"],
    [
      "/read/nope:*",
      404,
      "javax.management.InstanceNotFoundException : No MBean with pattern nope:* found for reading attributes",
    ],
    [
      "/read/java.lang:type=M*/Nope",
      400,
      `${javaArgument} : No matching attributes [Nope] found on MBeans [java.lang:type=Memory]`,
    ],
    ["/read/java.lang:", 400, `${javaArgument} : Invalid object name. Key properties cannot be empty`],
    ["/read", 400, `${javaArgument} : Invalid arguments in pathinfo /read for command READ`],
    ["/search", 400, `${javaArgument} : Invalid arguments in pathinfo /search for command SEARCH`],
    ["/nope", 400, `${javaArgument} : No type with name 'nope' exists`],
    [
      "/read/java.lang:type=Memory/HeapMemoryUsage/x",
      404,
      "javax.management.AttributeNotFoundException : Invalid path 'x'",
    ],
    ["/read/java.lang:type=Memory/HeapMemoryUsage/*", 400, `${javaArgument} : Path '*' must not end with a wildcard`],
    ["/read/svc.population:name=avg-resources-per-node", 500, "java.lang.ArithmeticException : Divide by zero"],
    ["/list/java.lang/type=Nope", 400, `${javaArgument} : No MBean 'java.lang:type=Nope' found`],
    ["/list/java.lang/type=Memory/nope", 400, `${javaArgument} : Illegal path element nope`],
    [
      "/exec/java.lang:type=Memory/gc",
      403,
      "java.lang.Exception : Operation gc forbidden for MBean java.lang:type=Memory",
    ],
    [
      "/write/java.lang:type=Memory/Verbose/true",
      403,
      "java.lang.Exception : Writing attribute Verbose forbidden for MBean java.lang:type=Memory",
    ],
    ["/list?maxDepth=x", 400, 'java.lang.NumberFormatException : For input string: "x"'],
  ])("%s: %i", async (path, status, error) => {
    const answer = await service.getJson(path);
    expect(answer).toMatchObject({ status, error, error_type: error.split(" : ")[0] });
    expect(Object.keys(answer).filter((key) => key !== "request")).toEqual(["error_type", "error", "status"]);
  });

  it.each([
    ["/read/java.lang:type=Nope", { mbean: "java.lang:type=Nope", type: "read" }],
    ["/exec/java.lang:type=Memory/gc", { mbean: "java.lang:type=Memory", operation: "gc", type: "exec" }],
    [
      "/write/java.lang:type=Memory/Verbose/true",
      { mbean: "java.lang:type=Memory", attribute: "Verbose", value: "true", type: "write" },
    ],
    ["/read/java.lang:", undefined],
    ["/nope", undefined],
  ])("%s is repeated as %j", async (path, request) => {
    expect((await service.getJson(path))["request"]).toEqual(request);
  });

  it("names the map that lacks a part of the path", async () => {
    const { error } = await service.getJson("/read/java.lang:type=Memory/Verbose,ObjectPendingFinalizationCount/x");
    expect(error).toMatch(/^javax\.management\.AttributeNotFoundException : Map key 'x' is unknown for map \{/);
  });

  it("returns the other attributes if errors are ignored", async () => {
    const answer = await service.getJson("/read/java.lang:type=Memory/Verbose,Nope?ignoreErrors=true");
    expect(answer).toMatchObject({
      status: 200,
      value: {
        Verbose: false,
        Nope: "ERROR: No such attribute: Nope (class javax.management.AttributeNotFoundException)",
      },
    });
  });

  it("returns the stack trace on request", async () => {
    const answer = await service.getJson("/read/java.lang:type=Nope?includeStackTrace=true&serializeException=true");
    expect(answer).toMatchObject({
      stacktrace: expect.stringMatching(/^javax\.management\.InstanceNotFoundException/) as string,
      error_value: { message: "java.lang:type=Nope" },
    });
  });
});

describe("POST", () => {
  it.each(["/metrics/v2", "/metrics/v2/read", "/metrics/v2/read/java.lang:type=Nope"])(
    "to %s is answered by its body, with any content type",
    async (path) => {
      const body = { type: "read", mbean: "java.lang:type=Memory", attribute: "Verbose", name: "ignored" };
      expect(await post(body, path, { "content-type": "text/plain" })).toMatchObject({
        request: { mbean: "java.lang:type=Memory", attribute: "Verbose", type: "read" },
        value: false,
      });
    },
  );

  it("answers an array in its order, each request with its own status", async () => {
    const answers = (await post([
      { type: "read", mbean: "java.lang:type=Memory", attribute: ["Verbose"] },
      { type: "read", mbean: "org.eclipse.jetty.util.thread:id=*,type=queuedthreadpool" },
      { type: "read", mbean: "java.lang:" },
      { type: "nope" },
      { type: "version" },
    ])) as { status: number; value?: unknown }[];
    expect(answers.map(({ status }) => status)).toEqual([200, 404, 400, 400, 200]);
    expect(answers[0]).toMatchObject({ request: { attribute: ["Verbose"] }, value: { Verbose: false } });
  });

  it("follows a path, and the options of each request", async () => {
    const body = { type: "read", mbean: "java.lang:type=Memory", attribute: "HeapMemoryUsage", path: "used" };
    expect(await post(body)).toMatchObject({ request: { path: "used" }, value: expect.any(Number) as number });
    const ignoring = {
      type: "read",
      mbean: "java.lang:type=Memory",
      attribute: ["Nope"],
      config: { ignoreErrors: true },
    };
    expect(await post(ignoring)).toMatchObject({ status: 200 });
  });

  it.each([
    [{ mbean: "java.lang:type=Memory" }, "No type given"],
    [{ type: "read" }, "Objectname can not be null"],
    [[1], "Not a request within the list of requests [1]. Expected map, but found: 1"],
    ["x", 'Invalid JSON Request "x"'],
  ])("refuses %j", async (body, message) => {
    expect(await post(body)).toEqual({
      error_type: javaArgument,
      error: `${javaArgument} : ${message}`,
      status: 400,
    });
  });

  it("refuses text that is not JSON", async () => {
    const { status, text } = await service.send("POST", "/metrics/v2", "{");
    expect(status).toBe(200);
    expect(text).toContain(`${javaArgument} : Invalid JSON request`);
  });

  it("does not forward requests", async () => {
    const target = { url: "service:jmx:rmi:///jndi/rmi://elsewhere/jmxrmi" };
    expect(await post({ type: "read", mbean: "java.lang:type=Memory", target })).toMatchObject({
      status: 403,
      error: expect.stringContaining("Requests to other servers are not passed on"),
    });
  });
});

import type { Random } from "#fixtures/random.ts";
import { operationNames } from "#storage/lifecycle/operation.ts";
import { type Attack, escaped, type Parameter } from "../attack.ts";
import { parameters, pathOf, queryPlaces } from "./fields.ts";
import { wild } from "./payloads.ts";
import { characters, hostileNodes, mutated, numberText, word } from "./words.ts";

/** Requests for maintenance, right and wrong. */
export function admin(random: Random): Attack {
  const path = "/pdb/admin/v1/cmd";
  const post = (body: string): Attack => ({
    transport: "http",
    kind: "admin",
    route: "admin cmd",
    method: random.chance(0.97) ? "POST" : random.pick(["GET", "PUT"]),
    path,
    parameters: [],
    headers: { "content-type": random.chance(0.9) ? "application/json" : "application/x-www-form-urlencoded" },
    body: Buffer.from(body),
  });
  const form = random.integer(0, 9);
  if (form === 0) {
    const place = random.pick(["/pdb/admin/v1/summary-stats", "/pdb/admin/v1", "/pdb/admin/v1/", "/pdb/admin/v2/cmd"]);
    return {
      transport: "http",
      kind: "admin",
      route: "admin",
      method: "GET",
      path: place,
      parameters: [],
      headers: {},
    };
  }
  if (form === 1) return post(wild(random, 3));
  if (form === 2) return post(characters(random, 100));
  const operation = (): string =>
    random.weighted<() => string>([
      [() => JSON.stringify(random.pick(operationNames)), 4],
      [() => `["purge_nodes",{"batch_limit":${random.chance(0.5) ? numberText(random) : wild(random, 1)}}]`, 4],
      [() => JSON.stringify(word(random)), 1],
      [() => wild(random, 2), 1],
    ])();
  const payload =
    form < 7
      ? `[${Array.from({ length: random.integer(0, 3) }, operation).join(",")}]`
      : `{"certname":${JSON.stringify(random.chance(0.8) ? random.pick(hostileNodes) : word(random))}}`;
  const command = form < 7 ? "clean" : "delete";
  const text = `{"command":"${command}","version":${random.chance(0.95) ? "1" : numberText(random)},"payload":${payload}}`;
  return post(random.chance(0.15) ? mutated(text, random) : text);
}

const fixed = [
  "/",
  "/pdb",
  "/pdb/",
  "/pdb/dashboard/index.html",
  "/pdb/dashboard/data",
  "/pdb/meta/v1/version",
  "/pdb/meta/v1/version/latest",
  "/pdb/meta/v1/server-time",
  "/pdb/ext/v1/state-overview",
  "/status/v1/services",
  "/status/v1/services/puppetdb-status",
  "/status/v1/simple",
  "/metrics",
  "/openapi.json",
  "/pdb/query",
  "/pdb/query/v5",
  "/pdb/query/v4/nope",
] as const;

const methods = [
  "GET",
  "GET",
  "GET",
  "HEAD",
  "POST",
  "PUT",
  "DELETE",
  "OPTIONS",
  "PATCH",
  "TRACE",
  "PROPFIND",
  "SEARCH",
] as const;

const headerMakers: Readonly<Record<string, (random: Random) => string>> = {
  accept: (random) =>
    random.pick(["application/json", "text/html", "*/*", "application/*;q=0", "", "x/y;q=abc", "a/".repeat(500)]),
  "accept-encoding": (random) => random.pick(["gzip", "br", "gzip;q=0", "*", "identity;q=0", ",,,"]),
  host: (random) =>
    random.pick([
      "localhost",
      "127.0.0.1",
      "evil.example.com",
      "x:99999",
      "[::1]",
      "[::",
      "1.2.3.4.5",
      "",
      "a b",
      "127.0.0.1:80:80",
      "%41",
    ]),
  origin: (random) =>
    random.pick(["http://127.0.0.1", "null", "http://evil.example.com", "x", "http://[::", "file://"]),
  referer: (random) => random.pick(["http://evil.example.com/", "x"]),
  "sec-fetch-site": (random) => random.pick(["cross-site", "same-origin", "none", "x"]),
  "content-type": (random) =>
    random.pick([
      "application/json",
      "text/plain",
      "application/x-www-form-urlencoded",
      "multipart/form-data",
      "x",
      "application/json; charset=utf-16",
    ]),
  "content-encoding": (random) => random.pick(["gzip", "deflate", "br", "x"]),
  "x-request-id": (random) => ascii(word(random)),
  "x-forwarded-for": () => "1.2.3.4, 5.6.7.8",
  range: () => "bytes=0-10,5-3,-1",
  "if-none-match": () => "*",
  "user-agent": (random) => ascii(word(random)),
  cookie: (random) => "a=".repeat(random.integer(1, 2000)),
  upgrade: (random) => random.pick(["h2c", "websocket", "TLS/1.0"]),
  authorization: () => "Basic AAAA",
  expect: (random) => random.pick(["100-continue", "x"]),
  "x-http-method-override": () => "DELETE",
};

function ascii(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]/g, "?").slice(0, 300);
}

/** Every path by every method with odd headers and parameters. */
export function places(random: Random): Attack {
  const place = random.pick(queryPlaces);
  const known = random.chance(0.5) ? pathOf(place, random) : random.pick(fixed);
  const path = random.chance(0.6) ? known : oddPath(known, random);
  const names = random.sample(Object.keys(headerMakers), random.chance(0.4) ? 0 : random.integer(1, 3));
  const headers = Object.fromEntries(names.map((name) => [name, headerMakers[name]?.(random) ?? ""]));
  const method = random.pick(methods);
  const given: Parameter[] = [];
  if (random.chance(0.4)) given.push(...parameters(place, random));
  if (random.chance(0.3)) {
    const name = random.pick(["level", "timeout", "unresponsive_threshold", "query", "name[]", word(random)]);
    given.push([name, random.chance(0.5) ? numberText(random) : word(random).slice(0, 300)]);
  }
  const hasBody = !["GET", "HEAD", "TRACE", "OPTIONS"].includes(method) && random.chance(0.5);
  const body = hasBody ? Buffer.from(wild(random, 2)) : undefined;
  const route = `places ${known.startsWith("/pdb/query") ? `query/${place.path}` : known}`;
  return {
    transport: "http",
    kind: "places",
    route,
    method,
    path,
    parameters: given,
    headers: withoutUpgrade(headers),
    body,
  };
}

/** A connection that is to be upgraded is attacked on a socket of its own, with raw bytes. */
function withoutUpgrade({ upgrade, ...headers }: Record<string, string>): Record<string, string> {
  return upgrade === undefined ? headers : { ...headers, "x-upgrade": upgrade };
}

function oddPath(path: string, random: Random): string {
  const forms: readonly (() => string)[] = [
    () => `${path}/`,
    () => `/${path}`,
    () => `${path}/..`,
    () => `${path}/%2e%2e/%2e%2e`,
    () => `${path}%00`,
    () => `${path}/%ff%fe`,
    () => `${path}/%`,
    () => `${path}/%zz`,
    () => path.toUpperCase(),
    () => path.replaceAll("/", "//"),
    () => path.replaceAll("/", "%2f"),
    () => `${path};x=y`,
    () => `${path}/${escaped(word(random).slice(0, 400))}`,
    () => `/${escaped(word(random).slice(0, 400))}`,
    () => `${path}?`,
    () => `${path}?&&&=&=x`,
    () => `${path}?a=%zz&%=%`,
    () => `${path}?${"a=b&".repeat(1000)}`,
    () => `${path}/${"x/".repeat(random.integer(1, 1500))}`,
  ];
  return random.pick(forms)();
}

const beans = [
  "java.lang:type=Memory",
  "java.lang:*",
  "puppetlabs.puppetdb.mq:name=global.command-parse-time",
  "puppetlabs.puppetdb.http:name=/pdb/query/v4/nodes.service-time",
  "puppetlabs.puppetdb.population:*",
  "*:*",
  "*:name=*,*",
  'x:y="a*\\"b"',
  ":",
  "x:",
  "x:y",
  "x:y=z,y=z",
] as const;

/** Jolokia's requests by GET and POST. */
export function jolokia(random: Random): Attack {
  const base = { transport: "http", kind: "jolokia", route: "metrics/v2", headers: {}, isOverTls: true } as const;
  const bean = random.chance(0.7) ? random.pick(beans) : mutated(random.pick(beans), random);
  if (random.chance(0.5)) {
    const action = random.pick(["read", "search", "list", "version", "exec", "write", word(random).slice(0, 100)]);
    const rest = random.chance(0.4)
      ? `/${escaped(random.pick(["HeapMemoryUsage", "Count", "a!/b", "!!", "*", word(random).slice(0, 100)]))}`
      : "";
    const given: Parameter[] = random.sample(
      [
        ["maxDepth", numberText(random)],
        ["maxObjects", numberText(random)],
        ["maxCollectionSize", numberText(random)],
        ["ignoreErrors", word(random)],
        ["canonicalNaming", "false"],
        ["mimeType", random.pick(["text/html", "application/json", "x\r\ny"])],
        ["callback", random.pick(["f", "f;alert(1)", "a.b", "<script>", "\u2028"])],
        ["ifModifiedSince", numberText(random)],
        ["includeStackTrace", "true"],
        ["serializeException", "true"],
        ["p", word(random).slice(0, 100)],
      ] as Parameter[],
      random.integer(0, 2),
    );
    return {
      ...base,
      method: "GET",
      path: `/metrics/v2/${escaped(action)}/${escaped(bean)}${rest}`,
      parameters: given,
    };
  }
  const request = (): string =>
    JSON.stringify({
      type: random.pick(["read", "search", "list", "version", "exec", "write", "READ", null, 1]),
      mbean: bean,
      attribute: random.pick([undefined, "Count", ["Count", "Mean"], [], null, 1, {}]),
      path: random.pick([undefined, "used", "a/b", "!/", 1]),
      config: random.pick([undefined, { maxDepth: 1 }, { maxObjects: -1 }, []]),
      target: random.pick([undefined, undefined, { url: "service:jmx:rmi://x" }]),
    });
  const text = random.chance(0.7) ? request() : `[${Array.from({ length: random.integer(0, 50) }, request).join(",")}]`;
  const body = Buffer.from(random.chance(0.8) ? text : mutated(text, random));
  return { ...base, method: "POST", path: "/metrics/v2", parameters: [], body };
}

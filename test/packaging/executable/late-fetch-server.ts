import { createServer, type RequestListener } from "node:http";
import { H3, HTTPError, HTTPResponse } from "h3";
import { toNodeHandler } from "h3/node";
import { FastResponse } from "srvx";

/** Whether Node has loaded its own fetch. To look at its classes would load it. */
function hasFetch(): string {
  const loaded = Reflect.get(process, "moduleLoadList") as readonly string[];
  return String(loaded.some((name) => name.includes("undici")));
}

/** Serves what the test asks for, until it is ended. */
const app = new H3({ silent: true })
  .get("/loaded", () => new FastResponse(hasFetch(), { headers: { "x-kind": "own" } }))
  .get("/json", () => ({ answer: 42 }))
  .get("/header", (event) => event.req.headers.get("x-asked"))
  .get("/fault", () => {
    throw new HTTPError({ status: 418, message: "short and stout" });
  })
  .get("/headers", (event) => [...event.req.headers].filter(([name]) => name.startsWith("x-")))
  .get("/set", (event) => {
    event.res.headers.set("x-set", "yes");
    return "set";
  })
  .get("/response", () => new Response("of Node's class", { status: 201, headers: { "x-kind": "node" } }))
  .get("/stream", () => new ReadableStream({ start: (to) => (to.enqueue(Buffer.from("in pieces")), to.close()) }))
  .get("/framework", () => new HTTPResponse("of the framework's", { headers: { "x-kind": "framework" } }))
  .post("/text", (event) => event.req.text())
  .post("/bytes", async (event) => (await event.req.arrayBuffer()).byteLength)
  .post("/form", async (event) => (await event.req.formData()).get("a"))
  .post("/clone", async (event) => event.req.clone().text());

const server = createServer(toNodeHandler(app) as RequestListener).listen(0, "127.0.0.1", () => {
  const address = server.address();
  process.stdout.write(`${typeof address === "object" ? address?.port : ""}\n`);
});

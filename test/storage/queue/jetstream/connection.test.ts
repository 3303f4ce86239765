import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readAddress } from "#storage/queue/jetstream/address.ts";
import { Connection } from "#storage/queue/jetstream/connection.ts";
import { makeAuthorities } from "#test/clients/authorities.ts";
import { temporaryFolder } from "#test/fixture-folder.ts";
import { isWithoutNats, Nats } from "#test/replicas/nats.ts";

const isLeftOut = isWithoutNats("connections to NATS");

/** Makes a connection and uses it. @returns the streams of the account */
async function use(address: string, passwordFile?: string): Promise<number> {
  const connection = await Connection.open(readAddress(address, passwordFile));
  try {
    return (await connection.request(({ manager }) => manager.getAccountInfo())).streams;
  } finally {
    await connection.close();
  }
}

describe.skipIf(isLeftOut)("a connection to a NATS that requires passwords and TLS", { timeout: 60_000 }, () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let nats: Nats;
  const file = (name: string): string => join(folder.path, name);
  const place = (host: string, parameters = ""): string => `tls://${host}:${nats.servers[0]?.port}/log${parameters}`;
  beforeAll(async () => {
    folder = await temporaryFolder();
    await makeAuthorities(folder.path, {
      ca: { server: "localhost", client: "client" },
      other: { stranger: "client" },
    });
    const words = ["--tls", "--tlsverify", "--tlscert", file("server.pem"), "--tlskey", file("server-key.pem")];
    const login = ["--tlscacert", file("ca.pem"), "--user", "secured", "--pass", "a b%c"];
    nats = await Nats.start(folder.path, 1, [...words, ...login]);
    writeFileSync(file("password"), "a b%c\n");
    writeFileSync(file("wrong"), "wrong");
  }, 60_000);
  afterAll(async () => {
    await nats[Symbol.asyncDispose]();
    await folder[Symbol.asyncDispose]();
  });

  const files = (authority = "ca", client = "client"): string =>
    `?tlsca=${file(`${authority}.pem`)}&tlscert=${file(`${client}.pem`)}&tlskey=${file(`${client}-key.pem`)}`;

  it("is made with the password of a file, and verifies the server", async () => {
    expect(await use(place("secured@localhost", files()), file("password"))).toBe(0);
  });

  it("is made with the password of the address, to the first of several servers that runs", async () => {
    expect(await use(place("secured:a%20b%25c@localhost:1,localhost", files()))).toBe(0);
  });

  it.each([
    ["another authority", "localhost", "other", "client", "password", /certificate|signature|issuer/],
    ["another name", "127.0.0.1", "ca", "client", "password", /IP: 127\.0\.0\.1|does not match/],
    ["a certificate of another authority", "localhost", "ca", "stranger", "password", /./],
    ["another password", "localhost", "ca", "client", "wrong", /Authorization Violation/i],
  ])("is refused with %s", async (_what, host, authority, client, password, message) => {
    await expect(use(place(`secured@${host}`, files(authority, client)), file(password))).rejects.toThrow(message);
  });

  it("does not care about the name and the authority with tls=require", async () => {
    expect(await use(place("secured@127.0.0.1", `${files("other")}&tls=require`), file("password"))).toBe(0);
  });

  it("is not made without TLS", async () => {
    const address = place("secured@localhost").replace("tls:", "nats:");
    await expect(use(address, file("password"))).rejects.toThrow(/certificate|TLS/i);
  });

  it("names a file that cannot be read", async () => {
    await expect(use(place("secured@localhost", files("absent")), file("password"))).rejects.toThrow(
      `${file("absent.pem")}: cannot be read`,
    );
  });
});

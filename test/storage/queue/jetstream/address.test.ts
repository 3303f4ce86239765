import { describe, expect, it } from "vitest";
import { filesOf, placeOf, readAddress } from "#storage/queue/jetstream/address.ts";
import { readLog, readLogs } from "#storage/queue/named-log.ts";

describe("the address of a log in JetStream", () => {
  it("has a user, a password, servers, a stream and parameters", () => {
    const address = readAddress(
      "tls://cen%40sus:p%3Aw@nats1.example.com,[fd00::1]:5222/my_log?tlsca=/ca.pem&tlscert=/c.pem&tlskey=/k.pem&creds=/c.creds&replicas=5",
      "/password",
    );
    expect(address).toEqual({
      servers: [
        { host: "nats1.example.com", port: 4222 },
        { host: "fd00::1", port: 5222 },
      ],
      stream: "my_log",
      replicas: 5,
      user: "cen@sus",
      password: "p:w",
      passwordFile: "/password",
      credentials: "/c.creds",
      tls: { mode: "verify", authorities: "/ca.pem", certificate: "/c.pem", key: "/k.pem" },
    });
    expect(placeOf(address)).toBe("nats://nats1.example.com:4222,[fd00::1]:5222/my_log");
    expect(filesOf(address).map(({ parameter, isSecret }) => [parameter, isSecret])).toEqual([
      ["creds", true],
      ["tlsca", false],
      ["tlscert", false],
      ["tlskey", true],
    ]);
  });

  it.each([
    ["nats://localhost/log", "disable"],
    ["nats://[::1]/log", "disable"],
    ["nats://nats.example.com/log", "verify"],
    ["nats://localhost,nats.example.com/log", "verify"],
    ["tls://localhost/log", "verify"],
    ["nats://nats.example.com/log?tls=disable", "disable"],
  ])("as %s has the mode of TLS %s", (text, mode) => {
    expect(readAddress(text).tls.mode).toBe(mode);
  });

  it.each([
    ["nats:///log", "expected nats://HOST:PORT,HOST:PORT/STREAM"],
    ["nats://localhost", "expected nats://HOST:PORT,HOST:PORT/STREAM"],
    ["nats://localhost/a.b", "the name of a stream may have letters, digits, _ and -"],
    ["nats://localhost:99999/log", '"localhost:99999" is not HOST:PORT'],
    ["nats://localhost/log?tls=maybe", "tls must be one of disable, require, verify"],
    ["tls://localhost/log?tls=disable", "tls=disable needs nats: in place of tls:"],
    ["nats://localhost/log?replicas=9", "replicas must be 1 to 5"],
    [
      "nats://localhost/log?sslmode=x",
      'unknown parameter "sslmode"; known are tls, tlsca, tlscert, tlskey, creds, replicas',
    ],
    ["nats://census:secret%zz@localhost/log", "a % in the user or the password must be written %25"],
  ])("is refused as %s", (text, problem) => {
    expect(() => readAddress(text)).toThrow(`command-log: ${problem}`);
    expect(() => readAddress(text)).not.toThrow("secret");
  });
});

describe("the address of a log", () => {
  it("has a scheme for each kind, and several are separated by white space", () => {
    const logs = readLogs(" postgres://census@db/log  nats://localhost/log\ttls://nats/log ");
    expect(logs.map(({ kind }) => kind)).toEqual(["postgresql", "jetstream", "jetstream"]);
    expect(() => readLog("kafka://localhost/log")).toThrow(
      "command-log: expected postgresql://USER@HOST:PORT/DATABASE or nats://HOST:PORT,HOST:PORT/STREAM",
    );
  });
});

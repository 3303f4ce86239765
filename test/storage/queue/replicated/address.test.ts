import { describe, expect, it } from "vitest";
import { placeOf, readAddress } from "#storage/queue/replicated/address.ts";

describe("the address of a log in PostgreSQL", () => {
  it("has a user, a password, servers, a database and parameters of TLS", () => {
    const address = readAddress(
      "postgresql://cen%40sus:p%3Aw@db1.example.com,[fd00::1]:5433/my_log?sslmode=verify-ca&sslrootcert=/ca.pem&sslcert=/c.pem&sslkey=/k.pem",
      "/password",
    );
    expect(address).toEqual({
      servers: [
        { host: "db1.example.com", port: 5432 },
        { host: "fd00::1", port: 5433 },
      ],
      user: "cen@sus",
      password: "p:w",
      passwordFile: "/password",
      database: "my_log",
      tls: { mode: "verify-ca", authorities: "/ca.pem", certificate: "/c.pem", key: "/k.pem" },
    });
    expect(placeOf(address)).toBe("postgresql://db1.example.com:5432,[fd00::1]:5433/my_log");
  });

  it.each([
    ["localhost", "disable"],
    ["127.0.0.1", "disable"],
    ["[::1]", "disable"],
    ["db.example.com", "verify-full"],
    ["localhost,db.example.com", "verify-full"],
  ])("at %s has the mode %s by default", (host, mode) => {
    expect(readAddress(`postgresql://census@${host}/log`).tls.mode).toBe(mode);
  });

  it.each([
    ["postgresql://census@/log", "expected postgresql://USER@HOST:PORT/DATABASE"],
    ["mysql://census@db/log", "expected postgresql://USER@HOST:PORT/DATABASE"],
    ["postgresql://db/log", "the user is missing: postgresql://USER@HOST:PORT/DATABASE"],
    ["postgresql://census@db:99999/log", '"db:99999" is not HOST:PORT'],
    [
      "nats://nats1,nats2/census_log",
      "since 0.1.0 the log is in PostgreSQL only, not in NATS JetStream: postgresql://USER@HOST:PORT/DATABASE",
    ],
    ["postgresql://census@db/log tls://nats/log", "since 0.1.0 the log is in PostgreSQL only, not in NATS JetStream"],
    [
      "postgresql://census@north/log postgresql://census@south/log",
      "since 0.1.0 a server has one log, not several; copy the data of other sites with census follow",
    ],
    ["postgresql://census@db/log?sslmode=prefer", "sslmode must be one of disable, require, verify-ca, verify-full"],
    [
      "postgresql://census@db/log?options=x",
      'unknown parameter "options"; known are sslmode, sslrootcert, sslcert, sslkey',
    ],
    ["postgresql://census:secret%zz@db/log", "a % in the user, the password or the database must be written %25"],
  ])("is refused as %s", (text, problem) => {
    expect(() => readAddress(text)).toThrow(`command-log: ${problem}`);
    expect(() => readAddress(text)).not.toThrow("secret");
  });
});

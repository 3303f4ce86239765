import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readAddress } from "#storage/queue/replicated/address.ts";
import { Cluster } from "#storage/queue/replicated/cluster.ts";
import { makeAuthorities } from "#test/clients/authorities.ts";
import { temporaryFolder } from "#test/fixture-folder.ts";
import { isWithoutPostgres, Postgres } from "#test/replicas/postgres.ts";

const isLeftOut = isWithoutPostgres("connections to PostgreSQL");

/** The present user of a connection, and whether it is encrypted. */
async function about(address: string, passwordFile?: string): Promise<{ user: string; isEncrypted: boolean }> {
  const connection = await new Cluster(readAddress(address, passwordFile)).connect();
  try {
    const [row] = await connection.rows<{ user: string; isEncrypted: boolean }>(
      `SELECT current_user AS user, ssl AS "isEncrypted" FROM pg_stat_ssl WHERE pid = pg_backend_pid()`,
      [],
      5000,
    );
    if (row === undefined) throw new Error("no row");
    return row;
  } finally {
    await connection.close();
  }
}

describe.skipIf(isLeftOut)("a connection to a PostgreSQL that requires passwords and TLS", () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let postgres: Postgres;
  let password: string;
  const authority = (): string => join(folder.path, "ca.pem");
  const place = (host: string, parameters = ""): string =>
    `postgresql://secured@${host}:${postgres.port}/postgres${parameters}`;
  beforeAll(async () => {
    folder = await temporaryFolder();
    await makeAuthorities(folder.path, { ca: { server: "localhost" }, other: {} });
    postgres = await Postgres.start(folder.path);
    postgres.sql("CREATE USER secured PASSWORD 'a b%c'");
    const [cert, key] = [join(folder.path, "server.pem"), join(folder.path, "server-key.pem")];
    await postgres.requirePasswords({ cert, key });
    await pause(500);
    password = join(folder.path, "password");
    writeFileSync(password, "a b%c\n");
  });
  afterAll(async () => {
    await postgres[Symbol.asyncDispose]();
    await folder[Symbol.asyncDispose]();
  });

  it("is made with the password of a file, and verifies the server", async () => {
    const address = place("localhost", `?sslmode=verify-full&sslrootcert=${authority()}`);
    expect(await about(address, password)).toEqual({ user: "secured", isEncrypted: true });
  });

  it("is made with the password of the address", async () => {
    const address = place("127.0.0.1", "?sslmode=require").replace("secured@", "secured:a%20b%25c@");
    expect(await about(address)).toEqual({ user: "secured", isEncrypted: true });
  });

  it("uses the password that the file has now", async () => {
    const changing = join(folder.path, "changing");
    writeFileSync(changing, "wrong");
    const address = place("localhost", "?sslmode=require");
    await expect(about(address, changing)).rejects.toThrow("password authentication failed");
    writeFileSync(changing, "a b%c");
    expect(await about(address, changing)).toMatchObject({ user: "secured" });
  });

  it.each([
    ["another authority", "localhost", "verify-full", "other.pem", /certificate|signature|issuer/],
    ["another name", "127.0.0.1", "verify-full", "ca.pem", /IP: 127\.0\.0\.1|does not match/],
  ])("is refused to a server of %s", async (_what, host, mode, authorities, message) => {
    const address = place(host, `?sslmode=${mode}&sslrootcert=${join(folder.path, authorities)}`);
    await expect(about(address, password)).rejects.toThrow(message);
  });

  it("does not care about the name with verify-ca", async () => {
    const address = place("127.0.0.1", `?sslmode=verify-ca&sslrootcert=${authority()}`);
    expect(await about(address, password)).toMatchObject({ isEncrypted: true });
  });

  it("is made to the first of several servers that runs", async () => {
    const address = place("127.0.0.1:1,localhost", "?sslmode=require");
    expect(await about(address, password)).toMatchObject({ user: "secured" });
  });
});

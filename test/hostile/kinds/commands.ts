import { gzipSync } from "node:zlib";
import type { Random } from "#fixtures/random.ts";
import { commands, isCommandName } from "#storage/wire/commands.ts";
import type { Attack, HttpAttack, Parameter } from "../attack.ts";
import { payloadText } from "./payloads.ts";
import { characters, commandName, hostileNodes, mutatedBytes, noise, numberText, timeText, word } from "./words.ts";

/** Commands of every kind and version, whole and broken. */
export function command(random: Random): Attack {
  const name = commandName(random);
  const certname = random.chance(0.95) ? random.pick(hostileNodes) : word(random);
  const known = isCommandName(name) ? name : undefined;
  const text = payloadText(known, certname, random);
  const version = versionOf(known, random);
  const [method, path] = [random.chance(0.97) ? "POST" : random.pick(["GET", "PUT", "PATCH", "DELETE"]), route(random)];
  if (random.chance(0.1)) return { ...oldForm(name, version, text, random), method, path };
  const parameters: Parameter[] = [
    ["command", random.chance(0.8) ? name.replaceAll(" ", "_") : name],
    ["version", version],
    ["certname", certname],
  ];
  if (random.chance(0.2)) parameters.push(["producer-timestamp", timeText(random)]);
  if (random.chance(0.1)) parameters.push(["checksum", random.chance(0.5) ? random.hex(40) : word(random)]);
  if (random.chance(0.15))
    parameters.push(["secondsToWaitForCompletion", random.pick(["1", "2", "0.1", "-1", "0", "1e400", "x", ""])]);
  if (random.chance(0.03)) parameters.push([word(random), word(random)]);
  if (random.chance(0.03)) parameters.splice(random.integer(0, 2), 1);
  if (random.chance(0.03)) parameters.push(random.pick(parameters));
  const packed = random.chance(0.25) ? pack(Buffer.from(text), random) : { body: Buffer.from(text), headers: {} };
  return {
    transport: "http",
    kind: "command",
    route: `cmd ${known ?? "?"} ${version.length > 3 ? "?" : version}`,
    method,
    path,
    parameters: parameters.filter(([, value]) => value.length < 6000),
    headers: { "content-type": random.chance(0.95) ? "application/json" : "text/plain", ...packed.headers },
    body: packed.body,
  };
}

function route(random: Random): string {
  return random.chance(0.97)
    ? "/pdb/cmd/v1"
    : random.pick(["/pdb/cmd", "/pdb/cmd/", "/pdb/cmd/v1/", "/pdb/cmd/v2", "/pdb/cmd//v1"]);
}

function versionOf(name: keyof typeof commands | undefined, random: Random): string {
  if (name !== undefined && random.chance(0.9)) return String(random.pick(commands[name].versions));
  return random.pick(["0", "-1", "99", "5.0", "1e1", "", "x", numberText(random)]);
}

function oldForm(name: string, version: string, text: string, random: Random): HttpAttack {
  const body = `{"command":${JSON.stringify(name)},"version":${version === "" ? "null" : version},"payload":${text}}`;
  return {
    transport: "http",
    kind: "command",
    route: `cmd old form ${name}`.slice(0, 60),
    method: "POST",
    path: "/pdb/cmd/v1",
    parameters: [],
    headers: { "content-type": "application/json" },
    body: Buffer.from(random.chance(0.9) ? body : characters(random, 80)),
  };
}

interface Packed {
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

/** Compresses a body, sometimes wrongly. */
function pack(body: Buffer, random: Random): Packed {
  const gzip = gzipSync(body);
  const headers = { "content-encoding": "gzip" };
  const forms: readonly (() => Packed)[] = [
    () => ({ body: gzip, headers }),
    () => ({ body: gzip, headers }),
    () => ({ body: gzip, headers: {} }),
    () => ({ body, headers }),
    () => ({ body: mutatedBytes(gzip, random), headers }),
    () => ({ body: gzip.subarray(0, random.integer(0, gzip.length)), headers }),
    () => ({ body: Buffer.concat([gzip, noise(random, 20)]), headers }),
    () => ({ body: Buffer.concat([gzip, gzip]), headers }),
    () => ({ body: gzipSync(gzip), headers }),
    () => ({
      body: gzipSync(Buffer.alloc(random.pick([1e5, 1e6, 2e7]), random.pick([" ", "[", "1", '"', "\0"]))),
      headers,
    }),
    () => ({ body: gzipSync(longList(random)), headers }),
    () => ({
      body: gzip,
      headers: { ...headers, "x-uncompressed-length": random.pick(["0", "5", "99999999999", "-1", "x"]) },
    }),
    () => ({
      body,
      headers: { "content-encoding": random.pick(["deflate", "br", "identity", "GZIP", "gzip, gzip", "x"]) },
    }),
  ];
  return random.pick(forms)();
}

/** Facts with a list of so small values that it needs far more memory than its bytes. */
function longList(random: Random): Buffer {
  const count = random.pick([10_000, 100_000, 1_000_000]);
  const certname = random.pick(hostileNodes);
  const values = `{"list":[${"1,".repeat(count - 1)}1]}`;
  return Buffer.from(
    `{"certname":"${certname}","environment":"production","producer_timestamp":"2026-11-20T10:00:00Z","producer":"p","values":${values}}`,
  );
}

import { gzipSync } from "node:zlib";
import type { Random } from "#fixtures/random.ts";
import { METADATA } from "#test/storage/archive/build.ts";
import type { Attack, Parameter } from "../attack.ts";
import { payloadText } from "./payloads.ts";
import { tarOf, type TarMember, zipOf } from "./pack.ts";
import { hostileNodes, mutated, mutatedBytes, noise, word } from "./words.ts";

const folders = [
  ["facts", "replace facts"],
  ["catalogs", "replace catalog"],
  ["reports", "store report"],
  ["catalog_inputs", "replace catalog inputs"],
  ["configure_expiration", "configure expiration"],
] as const;

/** Exports with odd parameters, and archives that are sent: whole, broken, traversing, bombs. */
export function archive(random: Random): Attack {
  const path = "/pdb/admin/v1/archive";
  const form = random.integer(0, 19);
  if (form < 3) {
    const parameters = random.pick<readonly Parameter[]>([
      [["anonymization_profile", random.pick(["none", "full", "low", "moderate", word(random).slice(0, 100)])]],
      [["directory", random.pick(["puppetdb-bak", "svc-bak", word(random).slice(0, 100)])]],
      [],
    ]);
    const method = random.pick(["GET", "GET", "HEAD", "PUT", "DELETE"]);
    return {
      transport: "http",
      kind: "archive",
      route: "archive export",
      method,
      path,
      parameters,
      headers: {},
    };
  }
  const { body, type } = posted(form < 16 ? file(random) : noise(random, random.integer(0, 300)), random);
  const headers = { "content-type": type };
  return {
    transport: "http",
    kind: "archive",
    route: "archive import",
    method: "POST",
    path,
    parameters: [],
    headers,
    body,
  };
}

function file(random: Random): Buffer {
  const members = memberList(random);
  const tar = tarOf(members);
  const forms: readonly (() => Buffer)[] = [
    () => gzipSync(tar),
    () => gzipSync(tar),
    () => tar,
    () => zipOf(members),
    () => zipOf(members),
    () => mutatedBytes(gzipSync(tar), random),
    () => gzipSync(mutatedBytes(tar, random)),
    () => mutatedBytes(tar, random),
    () => mutatedBytes(zipOf(members), random),
    () => gzipSync(gzipSync(tar)),
    () => gzipSync(tar).subarray(0, random.integer(0, 200)),
    () => gzipSync(Buffer.alloc(random.pick([1e5, 1e7, 3e7]), random.pick([0, 97]))),
    () => gzipSync(tarOf([{ name: "puppetdb-bak/facts/bomb.json", body: Buffer.alloc(2e7, "[") }, ...members])),
    () => zipOf([{ name: "puppetdb-bak/facts/bomb.json", body: Buffer.alloc(1e7, " ") }, ...members]),
  ];
  return random.pick(forms)();
}

function memberList(random: Random): TarMember[] {
  const metadata = random.chance(0.85) ? METADATA : mutated(METADATA, random);
  const members: TarMember[] = [{ name: "puppetdb-bak/export-metadata.json", body: Buffer.from(metadata) }];
  for (let count = random.integer(0, 4); count > 0; count--) {
    const [folder, command] = random.pick(folders);
    const certname = random.pick(hostileNodes);
    const name = `puppetdb-bak/${folder}/${random.chance(0.9) ? certname : word(random)}${random.chance(0.5) ? `-${random.hex(40)}` : ""}.json`;
    members.push({ name, body: Buffer.from(payloadText(command, certname, random)) });
  }
  if (random.chance(0.25)) members.push(odd(random));
  return random.chance(0.1) ? members.reverse() : members;
}

/** A member that no exporter writes. */
function odd(random: Random): TarMember {
  const name = random.pick([
    "../../../tmp/census-escaped",
    "/tmp/census-escaped",
    "puppetdb-bak/../../etc/passwd",
    "puppetdb-bak\\..\\facts\\x.json",
    "C:\\windows\\x.json",
    "puppetdb-bak/facts/a\0b.json",
    `puppetdb-bak/facts/${"x".repeat(90)}.json`,
    "puppetdb-bak/facts/",
    "",
  ]);
  const size = random.chance(0.2) ? random.pick([-1, 0, 10, 8 ** 11 - 1, Number.MAX_SAFE_INTEGER]) : undefined;
  return {
    name,
    body: Buffer.from("{}"),
    type: random.pick(["0", "1", "2", "3", "5", "6", "L", "x", "g", "S", "7", "\0"]),
    link: "/etc/passwd",
    size,
  };
}

/** A form around the file, sometimes broken. */
function posted(content: Buffer, random: Random): { body: Buffer; type: string } {
  const boundary = random.chance(0.95) ? "census-boundary" : random.pick(["x".repeat(300), "a b", "", "-", "é"]);
  const part = random.chance(0.95) ? "archive" : random.pick(["file", "", 'archive"; x="y']);
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="${part}"; filename="x.tgz"\r\nContent-Type: application/octet-stream\r\n\r\n`;
  const whole = [Buffer.from(head), content, Buffer.from(`\r\n--${boundary}--\r\n`)];
  const type = `multipart/form-data; boundary=${boundary}`.replaceAll(/[^\x20-\x7e]/g, "e");
  const forms: readonly (() => Buffer[])[] = [
    () => [Buffer.alloc(random.pick([100, 70_000, 200_000]), "p"), Buffer.from("\r\n"), ...whole],
    () => [...whole, Buffer.alloc(random.pick([100, 70_000, 200_000]), "e")],
    () => whole.slice(0, 2),
    () => whole.slice(1),
    () => [...whole.slice(0, 2), Buffer.from(`\r\n--${boundary}\r\n`), ...whole],
    () => [
      Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="x"\r\n\r\n${"v".repeat(100_000)}\r\n`),
      ...whole,
    ],
    () => [Buffer.from(`--${boundary}\r\n${"X-H: v\r\n".repeat(3000)}\r\n\r\n`), ...whole],
    () => [mutatedBytes(Buffer.concat(whole), random)],
    () => [],
  ];
  const body = random.chance(0.75) ? whole : random.pick(forms)();
  return {
    body: Buffer.concat(body),
    type: random.chance(0.97) ? type : random.pick(["multipart/form-data", "text/plain", "multipart/x", ""]),
  };
}

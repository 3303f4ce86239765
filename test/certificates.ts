import { createHash, createPrivateKey, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";
import { isIP } from "node:net";

/** A certificate and its private key, as the PEM texts that the listeners' files hold. */
export interface Identity {
  readonly cert: string;
  readonly key: string;
  /** DER of the serial number: what a revocation list names. */
  readonly serial: Buffer;
}

export interface Wish {
  /** Common name; several make a subject with several of them. */
  readonly name: string | readonly string[];
  /** DNS names and addresses of a server. */
  readonly at?: readonly string[];
  /** Default: from an hour ago to a day ahead. */
  readonly from?: Date;
  readonly until?: Date;
  /** Length of an RSA key, which takes longer to make; default: an elliptic one. */
  readonly rsaBits?: number;
}

/** A certificate authority of a test's own: elliptic keys, so that making one takes a millisecond. */
export interface Authority {
  readonly cert: string;
  issue(wish: Wish): Identity;
  /** An authority whose certificate is of this one. */
  subordinate(name: string): Authority;
  /** A revocation list that names the certificates given; with `until` in the past it has expired. */
  revoke(identities: readonly Identity[], until?: Date): string;
}

const HOUR = 3_600_000;
export const hoursFromNow = (hours: number): Date => new Date(Date.now() + hours * HOUR);

/** Makes an authority with a certificate of its own; default: for a day. */
export function createAuthority(name: string, until = hoursFromNow(24)): Authority {
  const { publicKey, privateKey } = keyPair();
  const certificate = certificateOf({ name, until }, name, publicKey, privateKey, "authority");
  return authority(name, certificate.cert, privateKey);
}

function authority(name: string, cert: string, signer: KeyObject): Authority {
  const issue = (wish: Wish, kind: "authority" | "end"): Identity => {
    const { publicKey, privateKey } = keyPair(wish.rsaBits);
    const { cert, serial } = certificateOf(wish, name, publicKey, signer, kind);
    return { cert, serial, key: privateKey.export({ type: "pkcs8", format: "pem" }).toString() };
  };
  return {
    cert,
    issue: (wish) => issue(wish, "end"),
    subordinate: (subject) => {
      const { cert, key } = issue({ name: subject }, "authority");
      return authority(subject, cert, createPrivateKey(key));
    },
    revoke: (identities, until = hoursFromNow(24)) => {
      const from = new Date(Math.min(Date.now(), until.getTime()) - HOUR);
      const entries = identities.map(({ serial }) => sequence(serial, time(from)));
      const list = [integer(1), ECDSA_SHA256, nameOf([name]), time(from), time(until)];
      return pem(
        "X509 CRL",
        signed(sequence(...list, ...(entries.length === 0 ? [] : [sequence(...entries)])), signer),
      );
    },
  };
}

function keyPair(rsaBits?: number): { publicKey: KeyObject; privateKey: KeyObject } {
  if (rsaBits !== undefined) return generateKeyPairSync("rsa", { modulusLength: rsaBits });
  return generateKeyPairSync("ec", { namedCurve: "P-256" });
}

/** RFC 5280 §4.1. */
function certificateOf(wish: Wish, issuer: string, subject: KeyObject, signer: KeyObject, kind: "authority" | "end") {
  const { from = hoursFromNow(-1), until = hoursFromNow(24), at = [] } = wish;
  const serial = tlv(0x02, Buffer.concat([Buffer.of(0x01), randomBytes(8)]));
  const publicKey = subject.export({ type: "spki", format: "der" });
  const names = typeof wish.name === "string" ? [wish.name] : wish.name;
  const extensions = [
    extension("2.5.29.19", true, kind === "authority" ? sequence(TRUE) : sequence()),
    extension("2.5.29.14", false, octets(createHash("sha1").update(publicKey).digest())),
    ...(at.length === 0 ? [] : [extension("2.5.29.17", false, sequence(...at.map(alternativeName)))]),
  ];
  const body = sequence(
    tlv(0xa0, integer(2)),
    serial,
    ECDSA_SHA256,
    nameOf([issuer]),
    sequence(time(from), time(until)),
    nameOf(names),
    publicKey,
    tlv(0xa3, sequence(...extensions)),
  );
  return { cert: pem("CERTIFICATE", signed(body, signer)), serial };
}

function signed(body: Buffer, signer: KeyObject): Buffer {
  return sequence(body, ECDSA_SHA256, tlv(0x03, Buffer.of(0), sign("sha256", body, signer)));
}

function nameOf(commonNames: readonly string[]): Buffer {
  return sequence(...commonNames.map((name) => tlv(0x31, sequence(oid("2.5.4.3"), tlv(0x0c, Buffer.from(name))))));
}

function alternativeName(name: string): Buffer {
  if (isIP(name) === 0) return tlv(0x82, Buffer.from(name));
  const address = name === "::1" ? Buffer.from("1".padStart(32, "0"), "hex") : Buffer.from(name.split(".").map(Number));
  return tlv(0x87, address);
}

function extension(id: string, critical: boolean, value: Buffer): Buffer {
  return sequence(oid(id), ...(critical ? [TRUE] : []), octets(value));
}

/** DER: tag, length, content. */
function tlv(tag: number, ...content: readonly Buffer[]): Buffer {
  const value = Buffer.concat(content);
  if (value.length < 0x80) return Buffer.concat([Buffer.of(tag, value.length), value]);
  const size = Buffer.from(value.length.toString(16).padStart(4, "0"), "hex");
  return Buffer.concat([Buffer.of(tag, 0x80 + size.length), size, value]);
}

function sequence(...content: readonly Buffer[]): Buffer {
  return tlv(0x30, ...content);
}

function octets(value: Buffer): Buffer {
  return tlv(0x04, value);
}

function integer(value: number): Buffer {
  return tlv(0x02, Buffer.of(value));
}

/** Seven bits a byte, the eighth says that more follow. */
function oid(text: string): Buffer {
  const [first = 0, second = 0, ...rest] = text.split(".").map(Number);
  const bytes = rest.flatMap((arc) => {
    const groups = [arc & 0x7f];
    for (let left = arc >>> 7; left > 0; left >>>= 7) groups.unshift(0x80 | (left & 0x7f));
    return groups;
  });
  return tlv(0x06, Buffer.of(first * 40 + second, ...bytes));
}

/** UTCTime: `YYMMDDhhmmssZ`. */
function time(date: Date): Buffer {
  const digits = date.toISOString().replaceAll(/[-:T]|\..*$/g, "");
  return tlv(0x17, Buffer.from(`${digits.slice(2)}Z`));
}

function pem(label: string, der: Buffer): string {
  const lines = der.toString("base64").match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join("\n")}\n-----END ${label}-----\n`;
}

const TRUE = Buffer.of(0x01, 0x01, 0xff);
const ECDSA_SHA256 = sequence(oid("1.2.840.10045.4.3.2"));

/** The issuer and the validity of a revocation list, read without a library (RFC 5280 §5.1). */
export interface RevocationList {
  /** The issuer's name as DER in hex, to be compared with {@link subjectOf}. */
  readonly issuer: string;
  readonly from: Date;
  /** Absent: the list does not say. */
  readonly until: Date | undefined;
}

interface Element {
  readonly tag: number;
  /** Includes tag and length. */
  readonly whole: Buffer;
  readonly content: Buffer;
}

const [INTEGER, SEQUENCE, VERSION] = [0x02, 0x30, 0xa0];
const times: ReadonlySet<number> = new Set([0x17, 0x18]);

/** @throws RangeError for anything else; Node's TLS has refused such a list before */
export function readRevocationList(pem: string): RevocationList {
  const [list] = children(Buffer.from(pem.replaceAll(/-----[^-]+-----|\s/g, ""), "base64"));
  const [body] = children(contentOf(list, SEQUENCE));
  // A version before the algorithm, then the issuer and the times.
  const parts = children(contentOf(body, SEQUENCE)).filter(({ tag }, index) => index > 0 || tag !== INTEGER);
  const [, issuer, from, until] = parts;
  if (issuer === undefined || from === undefined) throw new RangeError("no revocation list");
  return {
    issuer: issuer.whole.toString("hex"),
    from: timeOf(from),
    until: until !== undefined && times.has(until.tag) ? timeOf(until) : undefined,
  };
}

/**
 * The subject of a certificate as DER in hex (RFC 5280 §4.1).
 * @param der the certificate
 */
export function subjectOf(der: Buffer): string {
  const [certificate] = children(der);
  const [body] = children(contentOf(certificate, SEQUENCE));
  const parts = children(contentOf(body, SEQUENCE)).filter(({ tag }) => tag !== VERSION);
  // Serial number, algorithm, issuer, validity, subject.
  return parts[4]?.whole.toString("hex") ?? "";
}

/** The consecutive elements in a piece of DER. */
function children(der: Buffer): Element[] {
  const elements: Element[] = [];
  for (let at = 0; at < der.length;) {
    const tag = der.readUInt8(at);
    const short = der.readUInt8(at + 1);
    const bytes = short < 0x80 ? 0 : short & 0x7f;
    const length = bytes === 0 ? short : der.readUIntBE(at + 2, bytes);
    const begin = at + 2 + bytes;
    elements.push({ tag, whole: der.subarray(at, begin + length), content: der.subarray(begin, begin + length) });
    at = begin + length;
  }
  return elements;
}

function contentOf(element: Element | undefined, tag: number): Buffer {
  if (element?.tag !== tag) throw new RangeError("no revocation list");
  return element.content;
}

/** `YYMMDDhhmmssZ`, or with four digits of the year. */
function timeOf({ tag, content }: Element): Date {
  const text = content.toString("latin1");
  const digits = tag === 0x18 ? text : `${Number(text.slice(0, 2)) < 50 ? "20" : "19"}${text}`;
  const [, year, month, day, hour, minute, second] = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)?/.exec(digits) ?? [];
  return new Date(`${year}-${month}-${day}T${hour}:${minute}:${second ?? "00"}Z`);
}

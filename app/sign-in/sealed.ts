import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";

/** What a sealed value is for; one for another purpose is nothing. */
export type Purpose = "session" | "known" | "flow";

const ALGORITHM = "aes-256-gcm";
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Values that clients keep and cannot read or change: AES-256-GCM. Servers with the same keys accept each other's. */
export class Seal {
  readonly #keys: readonly Buffer[];

  /** @param keys of 32 bytes; the first seals, all of them open */
  constructor(keys: readonly Buffer[]) {
    this.#keys = keys;
  }

  seal(purpose: Purpose, value: object): string {
    const iv = randomBytes(IV_BYTES);
    const [key = Buffer.alloc(0)] = this.#keys;
    const cipher = createCipheriv(ALGORITHM, key, iv).setAAD(Buffer.from(purpose));
    const content = Buffer.concat([cipher.update(JSON.stringify(value)), cipher.final()]);
    return Buffer.concat([iv, content, cipher.getAuthTag()]).toString("base64url");
  }

  /** The value; undefined for anything that was not sealed with one of the keys for this purpose. */
  open(purpose: Purpose, text: string): unknown {
    const bytes = Buffer.from(text, "base64url");
    // Another spelling of the same bytes would be another cookie for the same session.
    if (bytes.length <= IV_BYTES + TAG_BYTES || bytes.toString("base64url") !== text) return undefined;
    const [iv, content, tag] = [
      bytes.subarray(0, IV_BYTES),
      bytes.subarray(IV_BYTES, -TAG_BYTES),
      bytes.subarray(-TAG_BYTES),
    ];
    for (const key of this.#keys) {
      try {
        const decipher = createDecipheriv(ALGORITHM, key, iv).setAAD(Buffer.from(purpose)).setAuthTag(tag);
        return JSON.parse(Buffer.concat([decipher.update(content), decipher.final()]).toString());
      } catch {
        // Sealed with another key, or by nobody.
      }
    }
    return undefined;
  }
}

import { describe, expect, it } from "vitest";
import { hasOtherChecksum } from "#storage/ingest/checksum.ts";
import type { Submission } from "#storage/ingest/submission.ts";
import { NOW } from "#test/fixture-store.ts";

const submission: Submission = {
  command: "replace facts",
  version: 5,
  certname: "a.example.com",
  payload: '{"certname":"a.example.com","values":{"size":"größer"}}',
  received: NOW,
};

// Digests by sha1sum, of the text and of {"command":"replace facts","version":5,"certname":"a.example.com","payload":…}.
describe("a checksum", () => {
  it.each([
    ["none at all", undefined, false],
    ["the payload's", "309a00ff8f563147af7b61b9912475040c3c0999", false],
    ["the payload's, in capitals", "309A00FF8F563147AF7B61B9912475040C3C0999", false],
    ["that of the whole message, which Puppet's terminus sends", "d0704ba455d43052865a9ebe3a17197cf8892dac", false],
    ["that of something else", "da39a3ee5e6b4b0d3255bfef95601890afd80709", true],
    ["no digest", "abc", true],
  ])("%s", (_what, checksum, isOther) => {
    expect(hasOtherChecksum(checksum === undefined ? submission : { ...submission, checksum })).toBe(isOther);
  });
});

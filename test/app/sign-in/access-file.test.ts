import { describe, expect, it } from "vitest";
import { changesBetween } from "#app/sign-in/access-file-changes.ts";
import { accessFileText, parseAccessFile } from "#app/sign-in/access-file.ts";
import { hashPassword } from "#app/sign-in/password-hash.ts";

const sha256 = "0".repeat(64);
const token = { name: "ci", sha256, may: ["query"], created: "2026-11-01T00:00:00.000Z", expires: null };
const password = hashPassword("correct horse battery");
const whole = {
  tokens: { abcdefgh: token },
  users: { alice: { password, role: "reader", groups: ["ops"] }, bob: { password, groups: [] } },
  groups: { ops: "operator" },
  signed_out: { "sso:alice": "2026-11-20T12:00:00.000Z" },
};

describe("the access file", () => {
  it("is written as it is read", () => {
    const text = accessFileText(parseAccessFile(JSON.stringify(whole), "file"));
    expect(JSON.parse(text)).toEqual(whole);
    expect(parseAccessFile("{}", "file")).toMatchObject({ tokens: new Map(), users: new Map() });
  });

  it.each<[content: unknown, problem: string]>([
    ["{", "file is not valid JSON: "],
    ['{"users": {"alice": {"password": secret}}}', "file is not valid JSON: Unexpected token 's'"],
    ['{"password": "a secret" "x', "file is not valid JSON: Expected ',' or '}'"],
    [[], "file: expected an object"],
    [{ token: {} }, 'file: unknown property "token"; use tokens, users, groups, signed_out'],
    [{ tokens: [] }, "file: tokens: expected an object"],
    [{ tokens: { a: { ...token, sha: 1 } } }, 'file: tokens: "a": unknown property "sha"; use name, sha256, may,'],
    [{ tokens: { a: { ...token, sha256: "x" } } }, 'file: tokens: "a": sha256: expected 64 hex digits'],
    [{ tokens: { a: { ...token, may: "query" } } }, 'file: tokens: "a": may: expected a list'],
    [{ tokens: { a: { ...token, may: ["queries"] } } }, 'file: tokens: "a": may[0]: expected one of query, command,'],
    [{ tokens: { a: { ...token, expires: "soon" } } }, 'file: tokens: "a": expires: expected a time such as '],
    [{ tokens: { a: { ...token, expires: undefined } } }, 'file: tokens: "a": expires: expected a time such as '],
    [{ users: { a: { password: "secret" } } }, 'file: users: "a": password: expected a hash that census user made'],
    [{ users: { a: { password, role: "root" } } }, 'file: users: "a": role: expected a role: reader, operator, admin'],
    [{ groups: { ops: "root" } }, 'file: groups: "ops": expected a role: reader, operator, admin'],
    [{ signed_out: { a: 1 } }, 'file: signed_out: "a": expected a time such as 2026-11-20T12:00:00Z'],
  ])("is refused with the place of the error: %j", (content, problem) => {
    const text = typeof content === "string" ? content : JSON.stringify(content);
    expect(() => parseAccessFile(text, "file")).toThrow(problem);
    // nothing of it is repeated: it may be a password
    expect(() => parseAccessFile(text, "file")).not.toThrow(/secret/);
  });
});

describe("a change of the access file is described", () => {
  const before = parseAccessFile(JSON.stringify(whole), "file");
  it.each<[after: object, lines: string[]]>([
    [whole, []],
    [{}, ["token ci (abcdefgh) removed", "user alice removed", "user bob removed", "group ops removed"]],
    [
      { ...whole, tokens: { abcdefgh: { ...token, revoked: "2026-11-20T12:00:00Z" }, hijklmno: token } },
      ["token ci (abcdefgh) revoked", "token ci (hijklmno) added"],
    ],
    [{ ...whole, users: { ...whole.users, bob: { password, role: "admin", groups: [] } } }, ["user bob changed"]],
    [{ ...whole, signed_out: { "sso:bob": "2026-11-20T12:00:00Z" } }, ["sso:bob signed out"]],
  ])("%j", (after, lines) => {
    expect(changesBetween(before, parseAccessFile(JSON.stringify(after), "file"))).toEqual(lines);
  });
});

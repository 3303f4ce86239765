import { describe, expect, test } from "vitest";
import { assert, jsonValue, property, string } from "fast-check";
import {
  beginning,
  compactJson,
  formatBytes,
  humanForm,
  needsQuotes,
  textParts,
  visibleText,
} from "#app/explorer/pages/value/text.ts";
import { zone } from "#app/explorer/pages/time/format.ts";
import { parseJson, stringifyJson } from "#storage/json.ts";

describe("visibleText", () => {
  test("shows control characters as their pictures", () => {
    expect(visibleText("a\u0000b\u001B[31mc\u007F")).toBe("a␀b␛[31mc␡");
  });

  test("names characters that change the direction of others", () => {
    expect(visibleText("exe.\u202Egnp\u2066x\u2069")).toBe("exe.⟨U+202E⟩gnp⟨U+2066⟩x⟨U+2069⟩");
  });

  test("names characters without width", () => {
    expect(visibleText("ro\u200Bot\uFEFF a\u00ADb \u{E0041}")).toBe("ro⟨U+200B⟩ot⟨U+FEFF⟩ a⟨U+00AD⟩b ⟨U+E0041⟩");
  });

  test("names half of a surrogate pair and leaves a complete pair", () => {
    expect(visibleText("\uD83D x 😀")).toBe("⟨U+D83D⟩ x 😀");
  });

  test("leaves line ends, tabs, accents, right-to-left letters and markup as they are", () => {
    const text = "one\r\ntwo\tthree é 日本 שלום <script>alert(1)</script> ❤\uFE0F";
    expect(visibleText(text)).toBe(text);
  });

  test("shows a carriage return that ends no line", () => {
    expect(visibleText("good\rbad")).toBe("good␍bad");
  });

  test("leaves nothing invisible in any text", () => {
    assert(
      property(string({ unit: "binary" }), (text) => {
        expect(visibleText(text)).not.toMatch(
          /(?!\n|\t|\r\n|\uFE0E|\uFE0F)[\p{Cc}\p{Cs}\p{Default_Ignorable_Code_Point}]/u,
        );
      }),
    );
  });
});

describe("textParts", () => {
  test("joins marks beside each other", () => {
    expect(textParts("a\u0000\u0001b")).toEqual([
      { text: "a", isMark: false },
      { text: "␀␁", isMark: true },
      { text: "b", isMark: false },
    ]);
  });

  test("has no part for an empty text", () => {
    expect(textParts("")).toEqual([]);
  });

  test("gives the visible text when joined", () => {
    assert(
      property(string({ unit: "binary" }), (text) => {
        expect(
          textParts(text)
            .map((part) => part.text)
            .join(""),
        ).toBe(visibleText(text));
      }),
    );
  });
});

describe("beginning", () => {
  test("keeps a short text", () => expect(beginning("abc", 3)).toBe("abc"));
  test("does not part a surrogate pair", () => expect(beginning("a😀b", 2)).toBe("a"));
});

describe("needsQuotes", () => {
  test.each(["", " ", "true", "null", "1", "1.0", "-2e10", "a "])("is true for %j", (text) => {
    expect(needsQuotes(text)).toBe(true);
  });
  test.each(["absent", "1.26.0-1", "v1", "True story", "a b"])("is false for %j", (text) => {
    expect(needsQuotes(text)).toBe(false);
  });
});

describe("compactJson", () => {
  test("keeps exact numbers", () => {
    expect(compactJson(parseJson('{"a":1.0,"b":[123456789012345678901234567890,1e400]}'))).toBe(
      '{"a": 1.0, "b": [123456789012345678901234567890, 1e400]}',
    );
  });

  test("is JSON of the same value", () => {
    assert(
      property(jsonValue(), (value) => {
        const text = stringifyJson(value as never);
        expect(stringifyJson(parseJson(compactJson(parseJson(text))))).toBe(stringifyJson(parseJson(text)));
      }),
    );
  });

  test("stops soon after the limit", () => {
    const many = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`key-${index}`, "x".repeat(10_000)]));
    expect(compactJson(many, 100).length).toBeLessThan(400);
  });

  test("writes 200 levels", () => {
    const text = `${"[".repeat(200)}${"]".repeat(200)}`;
    expect(compactJson(parseJson(text))).toBe(text);
  });
});

describe("humanForm", () => {
  test.each([
    ["size_bytes", 16_612_057_088, "15.5 GiB"],
    ["memorysize_mb", 512, "512 MiB"],
    ["uptime_seconds", 190_000, "2 d 4 h"],
    ["uptime_seconds", 75, "1 min 15 s"],
    ["hours", 60, "2 d 12 h"],
  ])("knows what %s means", (name, value, human) => {
    expect(humanForm(name, value)).toBe(human);
  });

  test("shows times in the chosen zone", () => {
    zone.value = "utc";
    expect(humanForm("deployed_at", 1_763_640_000)).toBe("20 Nov 2025, 12:00");
    expect(humanForm("anything", "2026-11-20T12:00:00.5+02:00")).toBe("20 Nov 2026, 10:00:00");
  });

  test.each([
    ["processors", 8],
    ["version", 8],
    ["size_bytes", 12],
    ["size_bytes", "large"],
    ["size_bytes", parseJson("1e999")],
    ["release", "2026-11-20"],
    ["seconds", 30],
    ["constructor", 5_000_000_000],
  ])("has none for %s = %j", (name, value) => {
    expect(humanForm(name, value)).toBeUndefined();
  });
});

test("formatBytes changes the unit where a number would have more than four digits", () => {
  expect([0, 1023, 1024, 1_048_575, -2048, 10_240_000].map(formatBytes)).toEqual([
    "0 B",
    "1023 B",
    "1.0 KiB",
    "1.0 MiB",
    "-2.0 KiB",
    "9.8 MiB",
  ]);
});

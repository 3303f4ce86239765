import { describe, expect, it } from "vitest";
import { count, list, moment, object, oneOf, optional, orNull, type Shaped, text } from "#storage/shape.ts";

const shape = object({
  name: text("Its name"),
  times: list(orNull(moment())),
  state: oneOf(["new", "old"]),
  size: optional(count("Bytes")),
});

describe("a shape", () => {
  it("is a JSON schema", () => {
    expect(JSON.parse(JSON.stringify(shape))).toEqual({
      type: "object",
      properties: {
        name: { type: "string", description: "Its name" },
        times: { type: "array", items: { type: ["string", "null"], format: "date-time" } },
        state: { enum: ["new", "old"] },
        size: { type: "integer", minimum: 0, description: "Bytes" },
      },
      required: ["name", "times", "state"],
    });
  });

  it("is a type that a value lacks nothing of, and from which nothing else can be read", () => {
    const value: Shaped<typeof shape> = { name: "a", times: [null], state: "new" };
    // @ts-expect-error: `state` is missing
    const lacking: Shaped<typeof shape> = { name: "a", times: [] };
    // @ts-expect-error: it is not declared
    expect([value.size, value.title, lacking.name]).toEqual([undefined, undefined, "a"]);
  });
});

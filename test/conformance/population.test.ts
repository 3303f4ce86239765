import { describe, expect, it } from "vitest";
import { parseCommandLine } from "./population.ts";

describe("a line of a population", () => {
  it("keeps every digit of the payload", () => {
    const line =
      '{"command":"replace facts","version":5,"certname":"a","payload":{"producer_timestamp":"2026-11-20T11:45:21.353Z","values":{"n":123456789012345678901234567890,"f":1.0}}}';
    expect(parseCommandLine(line)).toEqual({
      command: "replace_facts",
      version: "5",
      certname: "a",
      producerTimestamp: "2026-11-20T11:45:21.353Z",
      payload:
        '{"producer_timestamp":"2026-11-20T11:45:21.353Z","values":{"n":123456789012345678901234567890,"f":1.0}}',
    });
  });

  it("may contain blanks and a timestamp of its own", () => {
    const line =
      '{"command": "deactivate_node", "version": 3, "certname": "\\u0064", "producer_timestamp": "2026-11-20T12:00:00Z", "payload": {}}';
    expect(parseCommandLine(line)).toEqual({
      command: "deactivate_node",
      version: "3",
      certname: "d",
      producerTimestamp: "2026-11-20T12:00:00Z",
      payload: "{}",
    });
  });

  it.each(["", "{}", '{"command":"x","version":1,"payload":{}}'])("is refused when it is %o", (line) => {
    expect(() => parseCommandLine(line)).toThrow("not a command of a population");
  });
});

import { describe, expect, it } from "vitest";
import { shortMessage } from "#app/explorer/pages/issues/folded-parts.ts";

describe("the message of an issue in a list", () => {
  it("begins with what is particular to it", () => {
    expect(
      shortMessage(
        "Could not retrieve catalog from remote server: Error 500 on SERVER: Server Error: Evaluation Error: Error while evaluating a Function Call, no data for key 'site' (file: modules/base/manifests/init.pp, line: <n>, column: <n>) on node <node>",
      ),
    ).toMatch(/^No catalog: no data for key 'site'/);
    expect(shortMessage("change from <value> to <value> failed: the device is busy")).toBe("the device is busy");
  });

  it("is the whole message where nothing else is left", () => {
    expect(shortMessage("change from <value> to <value> failed:")).toBe("change from <value> to <value> failed:");
  });
});

import type { Json, JsonObject } from "#storage/json.ts";
import { type Text, textsWithNul } from "./hostile-texts.ts";

/** An object with any keys; `__proto__` is one like others. */
function objectOf(...entries: readonly (readonly [string, Json])[]): JsonObject {
  return Object.fromEntries(entries);
}

export function hostileFacts(certname: string, text: Text): JsonObject {
  return {
    certname,
    environment: text("environment"),
    producer_timestamp: "2026-11-20T11:50:00.000Z",
    producer: text("producer"),
    values: objectOf(
      [text("fact name"), text("fact value")],
      [
        `prefix ${text("fact name 2")}`,
        objectOf([text("fact key"), text("nested value")], ["list", [text("element")]]),
      ],
      ["kernel", text("kernel")],
      ["os", { name: text("os"), family: text("family"), release: { full: text("release"), major: text("major") } }],
      ["networking", { ip: text("address"), interfaces: objectOf([text("interface"), { mac: text("mac") }]) }],
      ["mountpoints", objectOf([text("mount"), { size_bytes: 1, device: text("device") }])],
      ["puppetversion", text("agent")],
      ["trusted", { certname, extensions: objectOf([text("extension"), text("role")]) }],
      ["nul", [...textsWithNul]],
    ),
    package_inventory: [
      [text("package"), text("package version"), text("provider")],
      ["shared", text("version"), "apt"],
    ],
  };
}

export function hostileCatalog(certname: string, text: Text): JsonObject {
  const file = { type: "File", title: text("title") };
  const defined = { type: text("type"), title: text("other title") };
  const profile = { type: "Class", title: `Class ${text("class")}` };
  return {
    certname,
    version: text("configuration version"),
    environment: text("environment"),
    transaction_uuid: null,
    catalog_uuid: null,
    code_id: text("code"),
    job_id: null,
    producer_timestamp: "2026-11-20T11:51:00.000Z",
    producer: text("producer"),
    resources: [
      { ...profile, exported: false, tags: ["class"], parameters: {} },
      {
        ...file,
        exported: false,
        tags: ["file", "__proto__"],
        file: text("file"),
        line: 3,
        parameters: objectOf(
          ["ensure", text("ensure")],
          [text("parameter"), text("parameter value")],
          ["content", textsWithNul.join("\n")],
        ),
      },
      {
        ...defined,
        exported: true,
        tags: ["constructor", "مرحبا"],
        parameters: { nested: [objectOf([text("key"), [text("leaf")]])] },
      },
    ],
    edges: [
      { source: profile, target: file, relationship: "contains" },
      { source: file, target: defined, relationship: "before" },
    ],
  };
}

export function hostileInputs(certname: string, text: Text): JsonObject {
  return {
    certname,
    producer_timestamp: "2026-11-20T11:51:30.000Z",
    catalog_uuid: "96c9b1ac-3ff5-4e85-ba80-44c8fba4c1b8",
    inputs: [[text("input type"), text("input name")]],
  };
}

import type { ArgDef } from "citty";
import { defaultText } from "../setting.ts";
import { type Declared, declared } from "../table.ts";
import type { Given } from "./given.ts";

/** The options of a command line: without dashes, as citty returns them. */
export type Flags = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;

/**
 * An option for each setting, for commands that use all of them. The type names none of them, so that the options
 * that a command declares itself keep their own types; `loadSettings` reads them.
 */
export const settingFlags: object = Object.fromEntries(declared.map((one) => [one.flag, optionOf(one)]));

/** The settings among the options that were given. */
export function readFlags(flags: Flags): Given[] {
  return declared.flatMap(({ section, name, flag }) => {
    const raw = flags[flag];
    if (typeof raw !== "string" && typeof raw !== "boolean") return [];
    return [{ section, name, raw: String(raw), place: { kind: "flag" as const, name: flag } }];
  });
}

// No default here: citty would pass it on as if the user had set it.
function optionOf({ flag, setting }: Declared): ArgDef & { readonly group: "setting" } {
  const { kind, help } = setting;
  const standing = defaultText(setting);
  const group = "setting";
  if (kind.hint !== "") {
    return { type: "string", valueHint: kind.hint, description: `${help} (default: ${standing})`, group };
  }
  const negation = standing === "true" ? `; disable with --no-${flag}` : "";
  return { type: "boolean", description: `${help} (default: ${standing}${negation})`, group };
}

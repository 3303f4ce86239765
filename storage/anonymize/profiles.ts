import {
  ANYTHING,
  BUILT_IN_TYPES,
  COMMON_FACTS,
  COMMON_TYPES,
  FACTS_WITH_KEPT_VALUES,
  MEANINGLESS_VERSION,
  SECRET,
  TYPES_WITH_KEPT_TITLES,
} from "./known-words.ts";
import type { Profile } from "./rules.ts";

/**
 * The kinds that each level of anonymization hides (reference/archive.md §5.3). PuppetDB's rules by parameter name
 * never apply there and are omitted; values that they would keep are hidden. `docs/differences.md` lists the values
 * that are hidden only here.
 */
export const profiles = {
  full: {
    node: "hide",
    type: "hide",
    tag: "hide",
    title: "hide",
    "parameter-name": "hide",
    "parameter-value": "hide",
    "catalog-input-type": "hide",
    "catalog-input-value": "hide",
    file: "hide",
    line: "hide",
    message: "hide",
    text: "hide",
    "fact-name": "hide",
    "fact-value": "hide",
    environment: "hide",
    version: [{ keep: [MEANINGLESS_VERSION] }],
    uuid: "hide",
  },
  moderate: {
    node: "hide",
    type: [{ keep: [...BUILT_IN_TYPES, ...COMMON_TYPES] }],
    // not by the patterns: a tag may be any title that happens to begin like a type
    tag: [{ keep: BUILT_IN_TYPES }],
    title: [{ keep: TYPES_WITH_KEPT_TITLES }],
    "parameter-name": "keep",
    "parameter-value": "hide",
    "catalog-input-type": "keep",
    "catalog-input-value": "hide",
    file: "hide",
    line: "keep",
    message: "hide",
    text: "hide",
    "fact-name": [{ keep: COMMON_FACTS }],
    "fact-value": [{ hide: SECRET }, { keep: FACTS_WITH_KEPT_VALUES }],
    environment: "hide",
    version: [{ keep: [MEANINGLESS_VERSION] }],
    uuid: "keep",
  },
  low: {
    node: "hide",
    type: "keep",
    tag: "keep",
    title: "keep",
    "parameter-name": "keep",
    "parameter-value": "hide",
    "catalog-input-type": "keep",
    "catalog-input-value": "hide",
    file: "keep",
    line: "keep",
    // an event's message repeats its old and new value
    message: "hide",
    text: "hide",
    "fact-name": "keep",
    "fact-value": [{ hide: SECRET }, { keep: [ANYTHING] }],
    environment: "keep",
    version: "keep",
    uuid: "keep",
  },
  none: {
    node: "keep",
    type: "keep",
    tag: "keep",
    title: "keep",
    "parameter-name": "keep",
    "parameter-value": "keep",
    "catalog-input-type": "keep",
    "catalog-input-value": "keep",
    file: "keep",
    line: "keep",
    message: "keep",
    text: "keep",
    "fact-name": "keep",
    "fact-value": "keep",
    environment: "keep",
    version: "keep",
    uuid: "keep",
  },
} as const satisfies Record<string, Profile>;

export type ProfileName = keyof typeof profiles;

/** Ordered from the level that hides most. */
export const profileNames = Object.keys(profiles) as readonly ProfileName[];

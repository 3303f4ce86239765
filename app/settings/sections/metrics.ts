import { truth } from "../kinds/simple.ts";
import { because, type Section, setting } from "../setting.ts";

/** `metrics`, a file of HOCON with the peer (`reference/config.md §7`). */
export const metrics = {
  about: "What the service says of itself.",
  settings: {
    "metrics-webservice.jolokia.enabled": setting({
      kind: truth,
      flag: "metrics",
      aliases: ["metrics-webservice.metricslib.enabled"],
      default: true,
      help: "Whether there is /metrics/v2",
    }),
  },
  ignored: {
    "metrics-webservice.jolokia.servlet-init-params.*":
      "the policy is the read-only one; who may read is said in [census] authorization-policy",
    "metrics-webservice.mbeans.enabled": "there is no /metrics/v1",
    ...because("metrics are fetched, never sent", "server-id", "registries.*", "reporters.*"),
  },
} as const satisfies Section;

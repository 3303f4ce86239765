import { truth } from "../kinds/simple.ts";
import { because, type Section, setting } from "../setting.ts";

/** `metrics`, a file of HOCON with PuppetDB (`reference/config.md §7`). */
export const metrics = {
  about: "Metrics of the service.",
  settings: {
    "metrics-webservice.jolokia.enabled": setting({
      kind: truth,
      flag: "metrics",
      aliases: ["metrics-webservice.metricslib.enabled"],
      default: true,
      help: "Enable /metrics/v2",
    }),
  },
  ignored: {
    "metrics-webservice.jolokia.servlet-init-params.*":
      "metrics are read-only; [census] authorization-policy sets who may read them",
    "metrics-webservice.mbeans.enabled": "Census has no /metrics/v1",
    ...because("Census does not send metrics; clients fetch them", "server-id", "registries.*", "reporters.*"),
  },
} as const satisfies Section;

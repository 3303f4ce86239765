import type { SignIn } from "../../sign-in/sign-in.ts";
import type { PrometheusMetric } from "./text.ts";

/** How people signed in, and what tokens were used for requests, since the start. */
export function signInMetrics({
  results,
  tokenRequests,
}: Pick<SignIn, "results" | "tokenRequests">): PrometheusMetric[] {
  return [
    {
      name: "census_sign_in_total",
      type: "counter",
      help: "Attempts to sign in",
      samples: [...results].map(([key, value]) => {
        const [how = "", result = ""] = key.split(" ");
        return { labels: { how, result }, value };
      }),
    },
    {
      name: "census_token_requests_total",
      type: "counter",
      help: "Admitted requests with a token",
      samples: [...tokenRequests].map(([name, value]) => ({ labels: { name }, value })),
    },
  ];
}

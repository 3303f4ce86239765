import { jsonText } from "../http/answers.ts";
import { type DescribedService, openApiDocument } from "../openapi/document.ts";

/** `GET /openapi.json`: the description of the interface, made when it is first asked for. */
export function describing(service: DescribedService): () => Response {
  let text: string | undefined;
  return () => {
    text ??= JSON.stringify(openApiDocument(service));
    return jsonText(text);
  };
}

import { once } from "node:events";
import { Agent, get, type IncomingMessage } from "node:http";

const agent = new Agent({ keepAlive: true, maxSockets: 1 });

/**
 * The whole answer to a GET; requests share one connection.
 * @param isAnew whether a query is answered anew, rather than with an earlier answer that is still right; default: yes
 * @throws Error when it is not a 200
 */
export async function fetchText(url: string, isAnew = true): Promise<string> {
  const request = get(new URL(url), { agent, headers: isAnew ? { "cache-control": "no-cache" } : {} });
  const [answer] = (await once(request, "response")) as [IncomingMessage];
  let text = "";
  answer.setEncoding("utf8");
  for await (const chunk of answer) text += chunk as string;
  if (answer.statusCode === 200) return text;
  throw new Error(`${decodeURIComponent(url)}: ${answer.statusCode} ${text.slice(0, 300)}`);
}

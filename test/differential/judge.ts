import { compareAnswers, isRefusal } from "../conformance/compare.ts";
import { type Answer, PLAIN_RULES } from "../conformance/recording.ts";
import type { ComparedRequest } from "./requests.ts";

/** Times at which the servers received what they store. */
const MASK = ["timestamp", "receive_time", "report_receive_time", "facts_timestamp", "catalog_timestamp"];

export type Verdict =
  | { readonly kind: "same" }
  /** PuppetDB answered 500, or with a class of its runtime, which is no model. */
  | { readonly kind: "no model" }
  /** `group` is what the difference has in common with others. */
  | { readonly kind: "different"; readonly group: string; readonly differences: readonly string[] };

/** PuppetDB's messages that name its runtime, or what its database said. */
const RUNTIME =
  /^(?:No implementation of method|Don't know how to create ISeq|No matching clause|AST validation failed)/;

/** Compares the answer of PuppetDB with ours. */
export function judge({ mode }: Pick<ComparedRequest, "mode">, peer: Answer, own: Answer): Verdict {
  const isNoModel = peer.status === 500 || RUNTIME.test(peer.text);
  if (isNoModel && own.status < 500 && (own.status === 200 || isRefusal(own))) return { kind: "no model" };
  const differences = compareAnswers({ ...PLAIN_RULES, mode, mask: MASK }, peer, own);
  if (differences.length === 0) return { kind: "same" };
  return { kind: "different", group: groupOf(peer, own), differences };
}

function groupOf(peer: Answer, own: Answer): string {
  if (peer.status === 200 && own.status === 200) return "other rows";
  const message = (peer.status === 200 ? own : peer).text;
  // Without names and values, which differ between queries of one cause.
  const shape = message.replaceAll(/'[^']*'|"[^"]*"|\d+/g, "…").slice(0, 80);
  return `${peer.status}, here ${own.status}: ${shape}`;
}

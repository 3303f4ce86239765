import type { NodeRow } from "../nodes/columns.ts";
import type { NodeIndex } from "../nodes/node-index.ts";
import type { CommandName } from "../wire/commands.ts";

/** The digests of the content (`storage/wire/scan.ts`) that nodes have stored, of content that this process stored. */
export class ContentDigests {
  readonly #nodes: NodeIndex;
  /** By row: when rows are read again after a rollback, their digests are unknown. */
  readonly #digests = new WeakMap<NodeRow, Map<CommandName, string>>();

  constructor(nodes: NodeIndex) {
    this.#nodes = nodes;
  }

  /** The digest of the stored content that a command of this name would replace; undefined if it is not known. */
  of({ certname, command }: { readonly certname: string; readonly command: CommandName }): string | undefined {
    const node = this.#nodes.get(certname);
    return node === undefined ? undefined : this.#digests.get(node)?.get(command);
  }

  /** Records the digest of what the node has stored now. */
  set(node: NodeRow, command: CommandName, digest: string | undefined): void {
    const digests = this.#digests.get(node) ?? new Map<CommandName, string>();
    if (digest === undefined) digests.delete(command);
    else digests.set(command, digest);
    this.#digests.set(node, digests);
  }
}

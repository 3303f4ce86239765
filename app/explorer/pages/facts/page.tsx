import type { JSX } from "preact";
import { useEnvironment, useParameter } from "../address/address.ts";
import { sort as sortCodec, texts } from "../address/codecs.ts";
import { ExportMenu } from "../export/menu.tsx";
import { Loading, Problem } from "../frame/panel.tsx";
import { ListPage, useNeedle } from "../list/list-page.tsx";
import { inEnvironment, query } from "../pql/text.ts";
import { counted } from "../value/text.ts";
import { FactTable } from "./fact-table.tsx";
import { useFactLines } from "./use-fact-lines.ts";

const order = sortCodec({ field: "fact", descending: false });

/** Which facts are there, how many nodes have them, and how much do they differ? */
export default function FactsPage(): JSX.Element {
  const environment = useEnvironment();
  const [search] = useNeedle();
  const [open, setOpen] = useParameter("open", texts);
  const [sort, setSort] = useParameter("sort", order);
  const { lines, nodes, facts, isCut, loaded } = useFactLines({ environment, search, open });
  const failed = loaded.find(({ error }) => error !== undefined);
  const waiting = loaded.find(({ value, error }) => value === undefined && error === undefined);
  const toggle = (id: string): void => {
    setOpen(open.includes(id) ? open.filter((one) => one !== id) : [...open, id], { push: false });
  };
  return (
    <ListPage
      title="Facts"
      count={waiting === undefined ? `${counted(facts, "fact")} of ${counted(nodes, "node")}` : undefined}
      search="Search in paths of facts"
      actions={
        <ExportMenu
          name="facts"
          pql={query("facts", {
            select: ["name", "count()"],
            where: inEnvironment("facts", environment),
            groupBy: ["name"],
          })}
        />
      }
    >
      {failed === undefined ? null : <Problem loaded={failed} />}
      {waiting === undefined ? (
        <>
          {isCut ? <p class="muted">There are more paths than are listed. Search for a part of the path.</p> : null}
          <FactTable
            lines={lines}
            nodes={nodes}
            among="nodes that have facts"
            onToggle={toggle}
            sort={sort}
            onSort={setSort}
          />
        </>
      ) : (
        <Loading loaded={waiting} height={400} />
      )}
    </ListPage>
  );
}

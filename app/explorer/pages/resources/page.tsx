import type { JSX } from "preact";
import { useParameter } from "../address/address.ts";
import { text } from "../address/codecs.ts";
import { TitleList } from "./title-list.tsx";
import { TypeList } from "./type-list.tsx";

const codec = text();

/** Where is this used? The types of resources; of a type its titles. */
export default function ResourcesPage(): JSX.Element {
  const [type] = useParameter("type", codec);
  return type === "" ? <TypeList /> : <TitleList key={type} type={type} />;
}

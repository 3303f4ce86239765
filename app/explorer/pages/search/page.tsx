import type { JSX } from "preact";
import { later } from "../frame/later.tsx";

const Search = later(() => import("./search.tsx"), <div class="skeleton" aria-hidden="true" />);

/** Where does this text occur? Loaded as a part, so that no other page loads more for what they share. */
export default function SearchPage(): JSX.Element {
  return <Search />;
}

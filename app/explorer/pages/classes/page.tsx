import type { JSX } from "preact";
import { useParameter } from "../address/address.ts";
import { text } from "../address/codecs.ts";
import { OneClass } from "./one-class.tsx";
import { ClassList } from "./class-list.tsx";

const codec = text();

/** All classes that catalogs use, or one of them. */
export default function ClassesPage(): JSX.Element {
  const [name] = useParameter("class", codec);
  return name === "" ? <ClassList /> : <OneClass key={name} name={name} />;
}

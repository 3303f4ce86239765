import { later } from "../frame/later.tsx";

/** What happened to a resource; loaded apart from the page, whose first view does not need its chart. */
export const ResourceEvents = later(() => import("./resource-events.tsx"));

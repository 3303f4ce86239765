import { archiveOf, populationOf } from "./population.ts";
for (const n of [2000, 10000]) console.log(await archiveOf(populationOf(n), (p) => console.log("making", p)));

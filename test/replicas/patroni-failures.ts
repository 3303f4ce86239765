import { setTimeout as pause } from "node:timers/promises";
import type { Failure } from "./failure.ts";
import { ETCD_SERVERS, type Patroni } from "./patroni.ts";

/** Lets something fail. @param primary its place among the members @param ms milliseconds before it is repaired */
type Strike = (primary: number, ms: number) => Promise<void>;

/** What can fail: the primary in five ways, its standby, and etcd. Each is repaired, and there is a primary afterwards. */
export function failuresOf(cluster: Patroni): readonly Failure[] {
  const failure = (what: string, strike: Strike): Failure => failureOf(cluster, what, strike);
  return [
    failure(
      "Patroni of the primary; PostgreSQL runs on, and does not know that another takes over",
      async (place, ms) => {
        await cluster.kill(place, "patroni");
        await cluster.leader(place);
        await pause(ms);
        await cluster.kill(place);
      },
    ),
    failure("the primary's machine", async (place, ms) => {
      await cluster.kill(place);
      await cluster.leader(place);
      await pause(ms);
    }),
    failure("the primary, which is frozen until another has taken over", async (place, ms) => {
      cluster.signal(place, "SIGSTOP", "both");
      await cluster.leader(place);
      await pause(ms);
      cluster.signal(place, "SIGCONT", "both");
    }),
    failure("PostgreSQL of the primary, which Patroni starts again", async (place, ms) => {
      await cluster.kill(place, "postgres");
      await pause(ms);
    }),
    failure("nothing: a planned switch-over", (place) => cluster.switchOver(place)),
    failure("the synchronous standby's machine", async (_, ms) => {
      const place = await cluster.synchronous();
      await cluster.kill(place);
      await pause(ms);
    }),
    failure("one server of etcd", async (place, ms) => {
      await cluster.etcd.kill([place % ETCD_SERVERS]);
      await pause(ms);
    }),
    failure("two servers of etcd: there may be no primary until they are back", async (place, ms) => {
      await cluster.etcd.kill([1, 2].map((next) => (place + next) % ETCD_SERVERS));
      await pause(ms + 4000);
    }),
  ];
}

function failureOf(cluster: Patroni, what: string, strike: Strike): Failure {
  return {
    what,
    strike: async (ms) => {
      // Otherwise Patroni lets no other member take over.
      await cluster.synchronous();
      await strike(await cluster.leader(), ms);
      cluster.etcd.restart();
      await cluster.restart();
      await cluster.leader();
    },
  };
}

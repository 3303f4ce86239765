import type { MaintenanceListener } from "#storage/lifecycle/events.ts";
import type { log as processLog } from "./log.ts";

/** Logs maintenance for operators: expired nodes, failures, backlogs. */
export function logMaintenance(log: typeof processLog): MaintenanceListener {
  return (event) => {
    switch (event.kind) {
      case "expired":
        log.notice(`Auto-expired node ${event.certname}`);
        break;
      case "failed":
        log.fault(`${event.operation} failed after ${Math.round(event.ms)} ms`, event.error);
        break;
      case "behind":
        log.warn(`${event.days} days of expired ${event.what} remain; each run deletes one day`);
        break;
      case "compacted":
        log.notice(`compacted the store from ${event.before} to ${event.after} bytes in ${Math.round(event.ms)} ms`);
        break;
      case "ended":
        log.debug(`${event.operation} removed ${event.removed} in ${Math.round(event.ms)} ms`);
        break;
      default:
    }
  };
}

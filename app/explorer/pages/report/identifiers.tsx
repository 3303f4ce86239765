import type { JSX } from "preact";
import { CopyButton } from "../frame/copy-button.tsx";
import { Icon } from "../icons/icon.tsx";
import { formatTime } from "../time/format.ts";
import { Text, Value } from "../value/value.tsx";
import { Folded } from "./folded.tsx";
import type { ReportRow } from "./rows.ts";
import { Term } from "./summary.tsx";

const names = [
  ["Hash", "hash"],
  ["Catalog", "catalog_uuid"],
  ["Transaction", "transaction_uuid"],
  ["Code", "code_id"],
  ["Job", "job_id"],
] as const;

/** Hashes, uuids and the times of arrival. */
export function Identifiers({ report }: { readonly report: ReportRow }): JSX.Element {
  return (
    <Folded part="ids" title="Identifiers">
      <dl class="report-summary">
        {names.map(([name, column]) => {
          const value = report[column];
          return (
            <Term key={column} name={name}>
              {value === null ? (
                <span class="muted">none</span>
              ) : (
                <>
                  <span class="mono">
                    <Text text={value} limit={200} />
                  </span>{" "}
                  <CopyButton class="plain" text={value} label={`Copy: ${name}`}>
                    <Icon name="copy" />
                  </CopyButton>
                </>
              )}
            </Term>
          );
        })}
        <Term name="Report format">
          <Value value={report.report_format} />
        </Term>
        <Term name="Sent by the producer">{formatTime(report.producer_timestamp, "second")}</Term>
        <Term name="Received">{formatTime(report.receive_time, "second")}</Term>
      </dl>
    </Folded>
  );
}

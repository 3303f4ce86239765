import { describe, expect, it } from "vitest";
import { timestampOfMillis } from "#storage/time.ts";
import {
  RECEIVED,
  UUID,
  catalog,
  event,
  facts,
  fileResource,
  read,
  report,
  reportResource,
  without,
} from "./payloads.ts";

/** Every old version comes out as the newest (reference/commands.md §3). */

const received = timestampOfMillis(RECEIVED.getTime());
const sent = 1_704_164_645_678_000n;

function flatEvent(changes: Record<string, string>): Record<string, string | number | string[]> {
  return {
    status: "success",
    timestamp: "2024-01-02T03:04:05.678Z",
    property: "ensure",
    new_value: "file",
    old_value: "absent",
    message: "created",
    resource_type: "File",
    resource_title: "/tmp/x",
    file: "/site.pp",
    line: 1,
    containment_path: ["Stage[main]"],
    ...changes,
  };
}

describe("replace catalog", () => {
  const v7 = without(catalog({ transaction_uuid: UUID }), "catalog_uuid", "producer", "job_id");

  it("8: producer and job_id are overwritten", () => {
    const read8 = read("replace catalog", 8, catalog({ producer: "p", job_id: "1" }));
    expect(read8).toMatchObject({ producer: null, job_id: null, catalog_uuid: UUID });
  });

  it("7: catalog_uuid is the transaction's", () => {
    expect(read("replace catalog", 7, v7)).toMatchObject({
      catalog_uuid: UUID,
      transaction_uuid: UUID,
      producer: null,
    });
    expect(read("replace catalog", 7, without(v7, "transaction_uuid"))).toMatchObject({ catalog_uuid: null });
  });

  it("6: code_id is overwritten", () => {
    expect(read("replace catalog", 6, { ...v7, code_id: "c" })).toMatchObject({ code_id: null });
    expect(read("replace catalog", 6, without(v7, "code_id"))).toMatchObject({ code_id: null });
  });

  const v5 = {
    name: "old-01",
    api_version: 1,
    version: "1",
    environment: "production",
    "transaction-uuid": UUID,
    "producer-timestamp": "2024-01-02T03:04:05.678Z",
    resources: [fileResource()],
    edges: [],
  };

  it("5: name is the certname, keys have underscores", () => {
    expect(read("replace catalog", 5, v5)).toMatchObject({
      certname: "old-01",
      transaction_uuid: UUID,
      catalog_uuid: UUID,
      producer_timestamp: sent,
    });
  });

  it("4: the receipt time is the producer's", () => {
    expect(read("replace catalog", 4, without(v5, "producer-timestamp"))).toMatchObject({
      certname: "old-01",
      producer_timestamp: received,
    });
  });
});

describe("replace facts", () => {
  it("4: producer is overwritten", () => {
    expect(read("replace facts", 4, facts({ producer: "p" }))).toMatchObject({ producer: null });
    expect(read("replace facts", 4, without(facts(), "producer"))).toMatchObject({ producer: null });
  });

  const v3 = { name: "old-01", environment: null, "producer-timestamp": "2024-01-02", values: { a: 1 } };

  it("3: name and producer-timestamp are renamed", () => {
    expect(read("replace facts", 3, v3)).toMatchObject({
      certname: "old-01",
      producer_timestamp: 1_704_153_600_000_000n,
      values: { a: 1 },
    });
  });

  it("2: the receipt time is the producer's", () => {
    expect(read("replace facts", 2, without(v3, "producer-timestamp"))).toMatchObject({ producer_timestamp: received });
  });
});

describe("store report", () => {
  const v7 = without(
    report({
      resources: [without(reportResource({ events: [without(event(), "corrective_change")] }), "corrective_change")],
    }),
    "noop_pending",
    "corrective_change",
    "producer",
    "job_id",
  );
  const v5 = {
    ...without(v7, "catalog_uuid", "cached_catalog_status", "code_id", "resources"),
    resource_events: [
      flatEvent({ property: "ensure" }),
      flatEvent({ resource_title: "/tmp/y" }),
      flatEvent({ property: "mode" }),
      flatEvent({ status: "skipped" }),
    ],
  };

  it("7: keys that did not exist yet are null", () => {
    const read7 = read("store report", 7, v7);
    expect(read7).toMatchObject({ noop_pending: null, corrective_change: null, producer: null, job_id: null });
    expect(read7.resources[0]).toMatchObject({ corrective_change: null, events: [{ corrective_change: null }] });
  });

  it("7: corrective_change of resources and events is overwritten, other keys are not", () => {
    const read7 = read("store report", 7, { ...v7, producer: "p", resources: [reportResource()] });
    expect(read7).toMatchObject({ producer: "p", resources: [{ corrective_change: null }] });
  });

  it("6: catalog_uuid is the transaction's unless it is there", () => {
    expect(read("store report", 6, without(v7, "catalog_uuid", "cached_catalog_status", "code_id"))).toMatchObject({
      catalog_uuid: UUID,
      cached_catalog_status: null,
      code_id: null,
    });
    expect(read("store report", 6, { ...v7, catalog_uuid: null })).toMatchObject({ catalog_uuid: null });
  });

  it("5: events are grouped into resources", () => {
    const { resources } = read("store report", 5, v5);
    expect(resources.map((resource) => [resource.resource_title, resource.skipped, resource.events.length])).toEqual([
      ["/tmp/x", false, 2],
      ["/tmp/y", false, 1],
      ["/tmp/x", true, 1],
    ]);
    expect(resources[0]).toMatchObject({
      line: 1,
      timestamp: sent,
      containment_path: ["Stage[main]"],
      events: [{ property: "ensure", timestamp: sent }, { property: "mode" }],
    });
  });

  const v4 = {
    certname: "old-01",
    "puppet-version": "3.8.0",
    "report-format": 4,
    "configuration-version": "1",
    "start-time": "2024-01-02T03:04:05Z",
    "end-time": "2024-01-02T03:04:06Z",
    "transaction-uuid": null,
    environment: "production",
    status: "changed",
    "resource-events": [
      {
        status: "success",
        timestamp: "2024-01-02T03:04:05.678Z",
        property: null,
        "new-value": 1,
        "old-value": null,
        message: null,
        "resource-type": "Exec",
        "resource-title": "x",
        file: null,
        line: null,
        "containment-path": null,
      },
    ],
  };

  it("4: keys have underscores, the receipt time is the producer's", () => {
    expect(read("store report", 4, v4)).toMatchObject({
      producer_timestamp: received,
      metrics: null,
      logs: null,
      noop: null,
      status: "changed",
      report_format: 4,
      resources: [{ resource_type: "Exec", containment_path: null, events: [{ new_value: 1 }] }],
    });
  });

  it("3: status is null", () => {
    expect(read("store report", 3, without(v4, "status"))).toMatchObject({ certname: "old-01", status: null });
  });
});

describe("deactivate node", () => {
  it.each([
    [1, '"old-01"'],
    [2, "old-01"],
    [3, { certname: "old-01" }],
    [3, { certname: "old-01", producer_timestamp: null }],
  ])("%d: %j", (version, payload) => {
    expect(read("deactivate node", version, payload)).toEqual({ certname: "old-01", producer_timestamp: received });
  });
});

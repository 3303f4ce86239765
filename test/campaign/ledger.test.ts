import { describe, expect, it } from "vitest";
import { type CampaignCommand, CommandMaker, transactionOf } from "./commands.ts";
import { type Fate, Ledger, type Stored } from "./ledger.ts";

const maker = new CommandMaker(1, 10);
const report = maker.make("report", "a.example.com", 1);
const catalogs = [maker.make("catalog", "a.example.com", 2), maker.make("catalog", "a.example.com", 3)] as const;

function ledgerOf(...fates: readonly (readonly [CampaignCommand, Fate])[]): Ledger {
  const ledger = new Ledger();
  for (const [command, fate] of fates) {
    ledger.sent(command);
    ledger.answered(command.number, fate);
  }
  return ledger;
}

const row = { transaction: transactionOf(1), certname: report.certname, events: report.events };
const nothing: Stored = { reports: [], facts: new Map(), catalogs: new Map() };
const fine = { lost: [], doubled: [], damaged: [] };

function withCatalog({ number, resources, edges }: CampaignCommand): Stored {
  return { ...nothing, catalogs: new Map([["a.example.com", { number, resources, edges }]]) };
}

describe("a ledger", () => {
  it("reports missing acknowledged commands, and no others", () => {
    expect(ledgerOf([report, "acknowledged"]).judge(nothing).lost).toEqual(["report 1 of a.example.com"]);
    expect(ledgerOf([report, "acknowledged"]).judge({ ...nothing, reports: [row] })).toEqual(fine);
    for (const fate of ["refused", "unknown"] as const) expect(ledgerOf([report, fate]).judge(nothing)).toEqual(fine);
  });

  it("counts duplicate reports, and reports with other events", () => {
    const ledger = ledgerOf([report, "unknown"]);
    expect(ledger.judge({ ...nothing, reports: [row, row] }).doubled).toHaveLength(1);
    expect(ledger.judge({ ...nothing, reports: [{ ...row, events: row.events + 1 }] }).damaged).toHaveLength(1);
  });

  it("expects the last acknowledged catalog of a node, or one that was sent later", () => {
    const [first, second] = catalogs;
    const ledger = ledgerOf([first, "acknowledged"], [second, "unknown"]);
    expect(ledger.judge(withCatalog(first))).toEqual(fine);
    expect(ledger.judge(withCatalog(second))).toEqual(fine);
    expect(ledgerOf([first, "unknown"], [second, "acknowledged"]).judge(withCatalog(first)).lost).toHaveLength(1);
  });

  it("expects complete catalogs that were sent", () => {
    const [first] = catalogs;
    const ledger = ledgerOf([first, "acknowledged"]);
    expect(ledger.judge(withCatalog({ ...first, edges: 0 })).damaged).toHaveLength(1);
    expect(ledger.judge(withCatalog({ ...first, number: 9 })).damaged).toEqual([
      "catalog of a.example.com: 9 was never sent",
    ]);
  });
});

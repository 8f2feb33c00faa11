import type { EvidenceEvent, EvidenceSeries, FailoverCause } from "@aglens/evidence";
import { expect, test } from "vitest";
import { evidenceTable, type TabledEvidence } from "./evidence-tables.ts";
import { tableParts } from "./capture-tables.ts";
import { columnReader, type ExportTable } from "./table.ts";
import { modelOf } from "../../test/model.ts";

const model = modelOf([{ at: 0 }], { duration: 60e6 });
/** µs since 1970 of the model's origin. */
const ORIGIN = Number(model.origin / 10n) - 11_644_473_600_000_000;

const event = (more: Partial<EvidenceEvent>): EvidenceEvent => ({
  kind: "restart",
  atUs: ORIGIN,
  fromUs: null,
  server: null,
  group: null,
  database: null,
  replica: null,
  message: null,
  states: null,
  count: 1,
  text: "SQL Server started.",
  sources: [{ file: "ERRORLOG", place: 7, text: "secret", plusMinusUs: 10_000 }],
  lsn: null,
  ...more,
});
const series = (
  metric: string,
  at: readonly number[],
  more: Partial<EvidenceSeries> = {},
): EvidenceSeries => ({
  metric,
  unit: "ms",
  server: "SQL2",
  of: null,
  form: "sample",
  atUs: Float64Array.from(at, (us) => ORIGIN + us),
  values: Float64Array.from(at.keys()),
  source: { file: "c.csv", column: metric },
  ...more,
});

const role = event({
  kind: "role",
  atUs: ORIGIN + 5e6,
  server: "SQL1",
  group: "SALES-AG",
  states: ["PRIMARY_NORMAL", "RESOLVING_NORMAL"],
  text: "SALES-AG on SQL1 is resolving.",
});
const io = event({
  kind: "slowIo",
  atUs: ORIGIN + 20e6,
  fromUs: ORIGIN + 5e6,
  server: "SQL2",
  database: "Orders",
  replica: "SQL1",
  message: 833,
  count: 3,
  lsn: 0x22_0000_0018n,
  sources: [
    { file: "SQL2/ERRORLOG", place: 12, text: "secret", plusMinusUs: 10_000 },
    { file: "health.xel", place: 3, text: null, plusMinusUs: 20_000 },
  ],
});
const failover: FailoverCause = {
  kind: "leaseTimeout",
  text: "",
  isProven: true,
  atUs: role.atUs,
  untilUs: null,
  group: "SALES-AG",
  from: "SQL1",
  to: null,
  events: [role],
};
const evidence: TabledEvidence = {
  events: [event({ atUs: ORIGIN - 1e6 }), role, io],
  series: [
    series("disk write latency", [0, 1e6, 2e6], { of: "F:", unit: "perSecond" }),
    series("wait time", [3e6], { values: Float64Array.of(Number.NaN), server: null, form: "delta" }),
  ],
  failovers: [failover],
  originUs: ORIGIN,
  errorAt: (server) => (server === "SQL2" ? 250.5 : 0),
};

const rowsOf = (table: ExportTable): Record<string, unknown>[] =>
  Array.from({ length: table.length }, (_, row) =>
    Object.fromEntries(table.columns.map(({ name }) => [name, columnReader(table, name)(row)])),
  );

test("events are rows by time, also in parts, with the cause of their failover and all places that report them", () => {
  const none = { from: null, server: null, ag: null, database: null, replica: null, message: null };
  const neither = { state_before: null, state_after: null, lsn: null, failover_cause: null };
  const all = [
    {
      ...none,
      ...neither,
      utc: BigInt(ORIGIN - 1e6),
      at: -1e6,
      at_uncertainty_us: 10_000,
      kind: "restart",
      count: 1,
      text: "SQL Server started.",
      sources: ["ERRORLOG:7"],
    },
    {
      ...none,
      ...neither,
      utc: BigInt(ORIGIN + 5e6),
      at: 5e6,
      at_uncertainty_us: 10_000,
      kind: "role",
      server: "SQL1",
      ag: "SALES-AG",
      state_before: "PRIMARY_NORMAL",
      state_after: "RESOLVING_NORMAL",
      count: 1,
      text: "SALES-AG on SQL1 is resolving.",
      failover_cause: "lease_timeout",
      sources: ["ERRORLOG:7"],
    },
    {
      ...none,
      ...neither,
      utc: BigInt(ORIGIN + 20e6),
      at: 20e6,
      // The clock of SQL2 adds its own.
      at_uncertainty_us: 10_251,
      from: 5e6,
      kind: "slow_io",
      server: "SQL2",
      database: "Orders",
      replica: "SQL1",
      message: 833,
      count: 3,
      text: "SQL Server started.",
      lsn: "00000022:00000018",
      sources: ["SQL2/ERRORLOG:12", "health.xel:3"],
    },
  ];
  expect(rowsOf(evidenceTable(model, evidence, "evidence_events"))).toEqual(all);
  for (const [rows, lengths] of [
    [1, [1, 1, 1]],
    [2, [2, 1]],
    [3, [3]],
  ] as const) {
    const parts = [...tableParts(model, { findings: [] }, "evidence_events", rows, evidence)];
    expect(parts.map(({ length }) => length)).toEqual(lengths);
    expect(parts.flatMap(rowsOf)).toEqual(all);
  }
});

test("samples are rows by metric and time, also in parts that end within a series", () => {
  const of = { metric: "disk write latency", unit: "per_second", server: "SQL2", instance: "F:" };
  const rest = { form: "sample", source: "c.csv:disk write latency" };
  const all = [0, 1, 2].map((s) => ({
    ...of,
    ...rest,
    utc: BigInt(ORIGIN + s * 1e6),
    at: s * 1e6,
    value: s,
  }));
  const delta = {
    utc: BigInt(ORIGIN + 3e6),
    at: 3e6,
    metric: "wait time",
    unit: "ms",
    server: null,
    instance: null,
    form: "delta",
    value: null,
    source: "c.csv:wait time",
  };
  expect(rowsOf(evidenceTable(model, evidence, "evidence_samples"))).toEqual([...all, delta]);
  for (const [rows, lengths] of [
    [1, [1, 1, 1, 1]],
    [2, [2, 2]],
    [3, [3, 1]],
    [4, [4]],
  ] as const) {
    const parts = [...tableParts(model, { findings: [] }, "evidence_samples", rows, evidence)];
    expect(parts.map(({ length }) => length)).toEqual(lengths);
    expect(parts.flatMap(rowsOf)).toEqual([...all, delta]);
  }
});

test.each(["evidence_events", "evidence_samples"] as const)(
  "%s has its columns, and no row, without other files",
  (name) => {
    const [own, ...others] = tableParts(model, { findings: [] }, name, 10);
    expect(others).toEqual([]);
    const heads = ({ columns }: ExportTable) => columns.map(({ name: column, kind }) => [column, kind]);
    expect(own.length).toBe(0);
    expect(heads(own)).toEqual(heads(evidenceTable(model, evidence, name)));
  },
);

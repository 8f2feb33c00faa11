/** The figures of captures in the output of `xel analyze`. */
import {
  commitStatistics,
  commitWakeUps,
  gatesOfAllCommits,
  isOnPrimary,
  pickRows,
  stageColumn,
  stageStatisticsOf,
  withoutKeeping,
} from "../src/columns/index.ts";
import {
  countFlushClasses,
  diagnose,
  type FlushClass,
  type Severity,
  type Verdict,
} from "../src/diagnosis/index.ts";
import { agreementOf } from "../src/evidence/index.ts";
import { allRows, keepRows, statisticsOf, type Statistics } from "../src/numbers/index.ts";
import { REMOTE_PATH, STAGES, type CaptureModel, type StageId } from "../src/replication/index.ts";
import type { Analysis, AnalyzedCapture } from "./analyzed-captures.ts";
import { evidenceJson, evidenceText, jsonText } from "./evidence-report.ts";

const rounded = (value: number): number | null => (Number.isNaN(value) ? null : Math.round(value * 10) / 10);

const figures = ({ n, p50, p95, p99, max, mean }: Statistics) => ({
  n,
  p50: rounded(p50),
  p95: rounded(p95),
  p99: rounded(p99),
  max: rounded(max),
  mean: rounded(mean),
});

/** Blocks in the primary's files; every block where there is no primary. */
function measuredRows(model: CaptureModel): Uint32Array {
  const rows = allRows(model.blocks.length);
  return model.replicas[0].hasCapture ? keepRows(rows, (row) => isOnPrimary(model, row)) : rows;
}

/** An answer that is needed once: its intermediate values are not kept in memory, which the next answers need. */
const asked = <T>(model: CaptureModel, ask: (model: CaptureModel) => T): T =>
  withoutKeeping("all", () => ask(model));

const stageStatisticsOnce = (
  model: CaptureModel,
  secondary: number,
  id: StageId,
  rows: Uint32Array,
): Statistics => asked(model, () => stageStatisticsOf(model, secondary, id, rows));

type StageFigures = Partial<Record<StageId, ReturnType<typeof figures>>>;

function stageFigures(model: CaptureModel, secondary: number, rows: Uint32Array): StageFigures {
  const found: StageFigures = {};
  for (const { id } of STAGES) {
    const statistics = stageStatisticsOnce(model, secondary, id, rows);
    if (statistics.n > 0) found[id] = figures(statistics);
  }
  return found;
}

const CLASS_NAMES = {
  good: "good<=10ms",
  reasonable: "reasonable<=20ms",
  busy: "busy<=50ms",
  bad: "bad>50ms",
} as const satisfies Record<FlushClass, string>;

/** By replica: the figures of each stage of its path, over the measured blocks. */
const stagesOf = (model: CaptureModel, rows: Uint32Array): Record<string, StageFigures> =>
  Object.fromEntries(model.hops.map((_, s) => [model.replicas[s + 1].id, stageFigures(model, s, rows)]));

/** Number of log writes in each class. @param rows of blocks whose remote path is complete */
function flushClasses(
  model: CaptureModel,
  rows: Uint32Array,
): Record<"primary" | "secondary", Record<string, number>> {
  const complete = rowsWithStage(model, 0, "localFlush", rows);
  const count = (id: StageId): Record<string, number> => {
    const writes = asked(model, () => pickRows(stageColumn(model, 0, id), complete));
    const counts = Object.entries(countFlushClasses(writes));
    return Object.fromEntries(counts.map(([name, n]) => [CLASS_NAMES[name as FlushClass], n]));
  };
  return { primary: count("localFlush"), secondary: count("secondaryFlush") };
}

/** Blocks with every part of the path to each secondary with a file. */
function completeRows(model: CaptureModel, rows: Uint32Array): Uint32Array {
  let complete = rows;
  for (const s of model.hops.keys())
    if (model.replicas[s + 1].hasCapture)
      for (const { id } of REMOTE_PATH) complete = rowsWithStage(model, s, id, complete);
  return complete;
}

/** The rows in which a stage is known. */
const rowsWithStage = (model: CaptureModel, secondary: number, id: StageId, rows: Uint32Array): Uint32Array =>
  asked(model, () => {
    const column = stageColumn(model, secondary, id);
    return keepRows(rows, (row) => !Number.isNaN(column[row]));
  });

const SHARE_NAMES: Partial<Record<StageId, string>> = {
  send: "send",
  wireOut: "wire_out",
  secondaryAppend: "sec_pre_flush",
  secondaryFlush: "sec_flush",
  ackBuild: "sec_ack_build",
  ackSend: "sec_ack_send",
  wireBack: "wire_back",
  ackReceive: "ack_receive",
};

/** Share of each stage in the mean remote harden of the first secondary, percent. @param complete as `completeRows` */
function shares(model: CaptureModel, complete: Uint32Array): Record<string, number | null> {
  const mean = (id: StageId): number => stageStatisticsOnce(model, 0, id, complete).mean;
  const whole = mean("remoteHarden");
  return Object.fromEntries(
    REMOTE_PATH.map(({ id }) => [SHARE_NAMES[id] ?? id, rounded((mean(id) / whole) * 100)]),
  );
}

function clocks(model: CaptureModel): Record<string, object> {
  return Object.fromEntries(
    model.clocks.map((c) => [
      model.replicas[c.secondary + 1].id,
      {
        status: c.status,
        reason: c.reason,
        blocksUsed: c.blocksUsed,
        driftPpm: Number.isNaN(c.driftPpm) ? null : c.driftPpm,
        driftPpmFeasible: c.driftPpmFeasible.map((v) => (Number.isNaN(v) ? null : v)),
        oneWayUncertaintyUs: rounded(c.oneWayUncertaintyUs),
        minNetworkRoundTripUs: rounded(c.minNetworkRoundTripUs),
        utcAheadOfPrimaryUs: rounded(c.utcAheadOfPrimaryUs),
        causalityViolationsAfter: c.causalityViolationsAfter,
      },
    ]),
  );
}

/** Commits by their release; secondaries that released no commit are skipped. */
function gates(model: CaptureModel): Record<string, number> {
  const [localFlush, ...acknowledged] = gatesOfAllCommits(model);
  const bySecondary = acknowledged.map((n, s) => [model.replicas[s + 1].id, n] as const);
  return { localFlush, ...Object.fromEntries(bySecondary.filter(([, n]) => n > 0)) };
}

const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);

/** The figures of a model in the shape that `--json` prints. Durations in µs; `database` is the first of `databases`. */
export function report(model: CaptureModel) {
  const rows = measuredRows(model);
  const complete = completeRows(model, rows);
  const { commits, databases, replicas } = model;
  const { common, ...blocks } = model.counts;
  const database = databases.map((d) => ({
    groupDatabaseId: d.id,
    localId: { primary: d.localIds[0], secondary: d.localIds[1] ?? -1 },
  }));
  const wakeUp = asked(model, () => statisticsOf(commitWakeUps(model)));
  return {
    events: { primary: replicas[0].events, secondary: sum(replicas.slice(1).map((r) => r.events)) },
    database: database[0],
    databases: database,
    primary: replicas[0].id,
    secondaries: replicas.slice(1).map((r) => r.id),
    replicas: replicas.map(({ id, name }) => ({ id, name })),
    engine: model.engine,
    blocks,
    blocksInCommonTime: common,
    commits: {
      count: commits.length,
      latencyUs: figures(asked(model, commitStatistics)),
      wakeUpUs: { p50: rounded(wakeUp.p50), p95: rounded(wakeUp.p95) },
      gates: gates(model),
    },
    clock: clocks(model),
    stagesUs: stagesOf(model, rows),
    flushClasses: flushClasses(model, complete),
    shareOfMeanRemoteHardenPercent: shares(model, complete),
    percentiles: "linear interpolation between closest ranks, over blocks (stages) or commits",
    info: { blocksOutOfOrderIfMergedByTimestamp: sum(model.clocks.map((c) => c.outOfOrderByUtc)) },
    warnings: model.warnings,
    verdict: asked(model, diagnose),
  };
}

const SEVERITY_WORDS = { slow: "slow", notice: "notice", none: "info" } as const satisfies Record<
  Severity,
  string
>;

/**
 * A line per rule that fired: its severity, its server and, in a capture of several databases, its database, and its
 * sentence.
 */
function findingLines({ replicas, databases }: CaptureModel, { findings }: Verdict): string[] {
  return findings
    .filter(({ rule }) => rule !== "D0")
    .map(({ rule, severity, replica, database, sentence }) => {
      const places = [
        ...(replica === null ? [] : [replicas[replica].name]),
        ...(database === null ? [] : [databases[database].name]),
      ];
      const whose = places.length === 0 ? "" : `${places.join(", ")}: `;
      return `${SEVERITY_WORDS[severity].padEnd(7)}${rule.padEnd(4)} ${whose}${sentence}`;
    });
}

/** Lines below a heading, if any, and an empty one; nothing without lines. */
const section = (heading: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : [...(heading === "" ? [] : [heading]), ...lines, ""];

function tableOf(model: CaptureModel): string {
  // Computed together: the verdict uses some of the same figures.
  const { verdict, stagesUs } = asked(model, () => ({
    verdict: diagnose(model),
    stagesUs: stagesOf(model, measuredRows(model)),
  }));
  const lines = [
    verdict.sentence,
    "",
    ...section("", findingLines(model, verdict)),
    ...section("How this was measured", verdict.measured ?? []),
  ];
  for (const [id, stages] of Object.entries(stagesUs)) {
    lines.push(
      `To ${model.replicas.find((replica) => replica.id === id)?.name ?? id}`,
      `${"stage".padEnd(20)}${["n", "p50 µs", "p95 µs", "mean µs"].map((h) => h.padStart(12)).join("")}`,
    );
    for (const [name, s] of Object.entries(stages)) {
      const { n, p50, p95, mean } = s;
      lines.push(
        `${name.padEnd(20)}${[n, p50, p95, mean].map((v) => String(v ?? "-").padStart(12)).join("")}`,
      );
    }
    lines.push("");
  }
  return [...lines, ...model.warnings].join("\n");
}

/**
 * One capture as an object, several as a list in which each has its name. Evidence of other files is in each, because
 * files that no capture contains may belong to any of them; without a capture it is alone.
 */
function jsonOf({ captures, evidence }: Analysis): string {
  if (captures.length === 0) return jsonText({ evidence: evidence && evidenceJson(evidence, []) });
  const reportOf = ({ model }: AnalyzedCapture) => ({
    ...report(model),
    ...(evidence === null ? {} : { evidence: evidenceJson(evidence, agreementOf(model, evidence)) }),
  });
  const answer =
    captures.length === 1
      ? reportOf(captures[0])
      : captures.map((capture) => ({
          name: capture.name,
          grouping: capture.warnings,
          ...reportOf(capture),
        }));
  return jsonText(answer);
}

/** A capture as text; with its name where there are several. */
const textOf =
  (count: number) =>
  ({ name, model, warnings }: AnalyzedCapture): string =>
    [...(count > 1 ? [name, "=".repeat(name.length)] : []), ...warnings, tableOf(model)].join("\n");

function textsOf({ captures, evidence }: Analysis): string[] {
  const texts = captures.map(textOf(captures.length));
  if (evidence === null) return texts;
  return [
    ...texts,
    evidenceText(
      evidence,
      captures.flatMap(({ model }) => agreementOf(model, evidence)),
    ),
  ];
}

/** Writes captures, and what other files show, as text or JSON. */
export function printAnalysis(analysis: Analysis, json: boolean, write: (text: string) => void): void {
  write(json ? jsonOf(analysis) : textsOf(analysis).join("\n\n"));
}

/**
 * `xel analyze --primary FILE... --secondary FILE... [--secondary FILE...] [--topology XML...] [--json] [--force]`:
 * builds the replication model of a capture and prints its figures. Each --secondary starts another replica.
 */
import { readFile } from "node:fs/promises";
import { diagnose } from "../src/diagnosis/index.ts";
import { mergeColumns, recognise, type EventColumns } from "../src/events/index.ts";
import {
  buildModel,
  mergeTopologies,
  readTopology,
  REMOTE_PATH,
  STAGES,
  stageDuration,
  statisticsOf,
  type CaptureModel,
  type ReplicaInput,
  type Role,
  type StageId,
  type Statistics,
} from "../src/replication/index.ts";
import { reportGaps } from "xel-parser/commands";
import { columnsIn } from "./source.ts";

/** The command line or the files given cannot be analysed; the message says what to do. */
export class AnalyzeError extends Error {
  readonly code: "analyze.usage" | "analyze.role";
  constructor(code: AnalyzeError["code"], message: string) {
    super(message);
    this.code = code;
  }
}

interface Arguments {
  readonly replicas: readonly { readonly role: Role; readonly files: readonly string[] }[];
  readonly topologies: readonly string[];
  readonly json: boolean;
  readonly force: boolean;
}

const USAGE =
  "Usage: xel analyze --primary FILE... --secondary FILE... [--topology XML...] [--json] [--force]";

function parseArguments(args: readonly string[]): Arguments {
  const replicas: { role: Role; files: string[] }[] = [];
  const topologies: string[] = [];
  let json = false;
  let force = false;
  let into: string[] | undefined;
  for (const arg of args) {
    if (arg === "--json") json = true;
    else if (arg === "--force") force = true;
    else if (arg === "--topology") into = topologies;
    else if (arg === "--primary" || arg === "--secondary") {
      into = [];
      replicas.push({ role: arg === "--primary" ? "primary" : "secondary", files: into });
    } else if (arg.startsWith("--") || into === undefined)
      throw new AnalyzeError("analyze.usage", `Unknown argument ${arg}. ${USAGE}`);
    else into.push(arg);
  }
  if (replicas.length === 0 || replicas.some((r) => r.files.length === 0))
    throw new AnalyzeError("analyze.usage", USAGE);
  return { replicas, topologies, json, force };
}

async function readReplica(
  role: Role,
  files: readonly string[],
  options: { readonly force: boolean },
): Promise<ReplicaInput> {
  const parts: EventColumns[] = [];
  for (const file of files) parts.push(await columnsIn(file, options));
  const columns = mergeColumns(parts);
  const found = recognise(columns);
  if (found.role === "unknown") throw new AnalyzeError("analyze.role", `${files[0]}: ${found.evidence}`);
  if (found.role !== role) {
    throw new AnalyzeError(
      "analyze.role",
      `${files[0]} was given as ${role}, but its events are those of a ${found.role} (${found.evidence}).`,
    );
  }
  return { role, columns };
}

/** Reads the files and builds the model. */
export async function analyzeFiles(args: readonly string[]): Promise<CaptureModel> {
  const { replicas, topologies, force } = parseArguments(args);
  const inputs: ReplicaInput[] = [];
  for (const { role, files } of replicas) inputs.push(await readReplica(role, files, { force }));
  const texts = await Promise.all(topologies.map((file) => readFile(file, "utf8")));
  return buildModel(inputs, topologies.length > 0 ? mergeTopologies(texts.map(readTopology)) : undefined);
}

const rounded = (value: number): number | null => (Number.isNaN(value) ? null : Math.round(value * 10) / 10);

const figures = ({ n, p50, p95, p99, max, mean }: Statistics) => ({
  n,
  p50: rounded(p50),
  p95: rounded(p95),
  p99: rounded(p99),
  max: rounded(max),
  mean: rounded(mean),
});

/** Blocks that the primary's files hold; every block where there is no primary. */
function measuredRows(model: CaptureModel): Uint32Array {
  const rows = Uint32Array.from({ length: model.blocks.length }, (_, i) => i);
  if (!model.replicas[0].hasCapture) return rows;
  const { pushedToLogPool, localFlushStart } = model.blocks;
  const onPrimary = (row: number): boolean =>
    !Number.isNaN(pushedToLogPool[row]) ||
    !Number.isNaN(localFlushStart[row]) ||
    model.hops.some((hop) => !Number.isNaN(hop.departed[row]));
  return rows.filter(onPrimary);
}

function stageStatistics(model: CaptureModel, secondary: number, rows: Uint32Array): Record<string, object> {
  const told: Record<string, object> = {};
  for (const { id } of STAGES) {
    const found = statisticsOf(Float64Array.from(rows, (row) => stageDuration(model, secondary, id, row)));
    if (found.n > 0) told[id] = figures(found);
  }
  return told;
}

const CLASSES = ["good<=10ms", "reasonable<=20ms", "busy<=50ms", "bad>50ms"] as const;

/** How many log writes fall in each response class, over blocks complete end to end. */
function flushClasses(
  model: CaptureModel,
  rows: Uint32Array,
): Record<"primary" | "secondary", Record<string, number>> {
  const complete = rows.filter(
    (row) => !Number.isNaN(stageDuration(model, 0, "localFlush", row)) && isComplete(model, row),
  );
  const count = (id: StageId): Record<string, number> => {
    const counts: Record<string, number> = Object.fromEntries(CLASSES.map((c) => [c, 0]));
    for (const row of complete) {
      const us = stageDuration(model, 0, id, row);
      if (!Number.isNaN(us)) counts[CLASSES[us <= 10_000 ? 0 : us <= 20_000 ? 1 : us <= 50_000 ? 2 : 3]]++;
    }
    return counts;
  };
  return { primary: count("localFlush"), secondary: count("secondaryFlush") };
}

function isComplete(model: CaptureModel, row: number): boolean {
  const captured = model.hops.filter((_, s) => model.replicas[s + 1].hasCapture);
  return captured.every((_, s) =>
    REMOTE_PATH.every(({ id }) => !Number.isNaN(stageDuration(model, s, id, row))),
  );
}

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

/** Share of each stage in the mean remote harden towards the first secondary, per cent. */
function shares(model: CaptureModel, rows: Uint32Array): Record<string, number | null> {
  const complete = rows.filter((row) => isComplete(model, row));
  const mean = (id: StageId): number =>
    statisticsOf(Float64Array.from(complete, (row) => stageDuration(model, 0, id, row))).mean;
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

function gates(model: CaptureModel): Record<string, number> {
  const count = (gate: number): number => model.commits.gate.filter((g) => g === gate).length;
  const bySecondary = model.hops.map((_, s) => [model.replicas[s + 1].id, count(2 + s)] as const);
  return { localFlush: count(1), ...Object.fromEntries(bySecondary.filter(([, n]) => n > 0)) };
}

function wakeUps(model: CaptureModel): Float64Array {
  const { length, block, end, gate } = model.commits;
  return Float64Array.from({ length }, (_, c) => {
    if (gate[c] === 0) return Number.NaN;
    const released = gate[c] === 1 ? model.blocks.localFlushEnd : model.hops[gate[c] - 2].ackProcessed;
    return end[c] - released[block[c]];
  });
}

const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);

/** The figures of a model in the shape that `--json` prints. Durations in µs; the first database stands in `database`. */
export function report(model: CaptureModel) {
  const rows = measuredRows(model);
  const { commits, databases, replicas } = model;
  const database = databases.map((d) => ({
    groupDatabaseId: d.id,
    localId: { primary: d.localIds[0], secondary: d.localIds[1] ?? -1 },
  }));
  const wakeUp = statisticsOf(wakeUps(model));
  const latency = Float64Array.from({ length: commits.length }, (_, c) => commits.end[c] - commits.start[c]);
  const known = statisticsOf(latency);
  return {
    events: { primary: replicas[0].events, secondary: sum(replicas.slice(1).map((r) => r.events)) },
    database: database[0],
    databases: database,
    primary: replicas[0].id,
    secondaries: replicas.slice(1).map((r) => r.id),
    engine: model.engine,
    blocks: model.counts,
    commits: {
      count: commits.length,
      latencyUs: figures(known),
      wakeUpUs: { p50: rounded(wakeUp.p50), p95: rounded(wakeUp.p95) },
      gates: gates(model),
    },
    clock: clocks(model),
    stagesUs: Object.fromEntries(
      model.hops.map((_, s) => [replicas[s + 1].id, stageStatistics(model, s, rows)]),
    ),
    flushClasses: flushClasses(model, rows),
    shareOfMeanRemoteHardenPercent: shares(model, rows),
    percentiles: "linear interpolation between closest ranks, over blocks (stages) or commits",
    info: { blocksOutOfOrderIfMergedByTimestamp: sum(model.clocks.map((c) => c.outOfOrderByUtc)) },
    notes: model.notes,
    verdict: diagnose(model),
  };
}

function table(told: ReturnType<typeof report>): string {
  const lines = [told.verdict.sentence, ""];
  for (const [id, stages] of Object.entries(told.stagesUs)) {
    lines.push(
      `To ${id}`,
      `${"stage".padEnd(20)}${["n", "p50 µs", "p95 µs", "mean µs"].map((h) => h.padStart(12)).join("")}`,
    );
    for (const [name, s] of Object.entries(stages)) {
      const { n, p50, p95, mean } = s as ReturnType<typeof figures>;
      lines.push(
        `${name.padEnd(20)}${[n, p50, p95, mean].map((v) => String(v ?? "-").padStart(12)).join("")}`,
      );
    }
    lines.push("");
  }
  return [...lines, ...told.notes].join("\n");
}

/**
 * Runs the command, writes its answer and returns the exit code: 0 done, 1 the files cannot be analysed or not all of
 * them could be read, 2 wrong usage. Errors, and what could not be read, go to standard error, one sentence a line.
 */
export async function analyze(
  args: readonly string[],
  write: (text: string) => void = (text) => console.log(text),
): Promise<number> {
  try {
    const model = await analyzeFiles(args);
    const told = report(model);
    write(parseArguments(args).json ? JSON.stringify(told, null, 1) : table(told));
    return Math.max(...model.files.map((file) => reportGaps(file.name, file)));
  } catch (error) {
    if (!isExpected(error)) throw error;
    console.error(error.message);
    return error instanceof AnalyzeError && error.code === "analyze.usage" ? 2 : 1;
  }
}

/** Errors that carry a sentence for the user: the product's own, and files that are not there. */
const isExpected = (error: unknown): error is Error & { code: string } =>
  error instanceof Error && "code" in error && typeof error.code === "string";

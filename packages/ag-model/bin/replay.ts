/**
 * `xel what-if (arguments of analyze) [--change CHANGE]...` and `xel waiting (arguments of analyze)
 * [--statements]`: the commit latency after one change, and how long blocks and commits waited.
 */
import type { CaptureModel } from "../src/replication/index.ts";
import {
  CHANGE_FORMS,
  changeName,
  formatChange,
  msText,
  parseChange,
  predict,
  predictAll,
  waitingOf,
  type Prediction,
  type WaitingRow,
} from "../src/replay/index.ts";
import { analyzeOneCapture, AnalyzeError, type Analysis } from "./analyzed-captures.ts";
import { clientFigures, clientWaits, clientWaitsText } from "./who-waited-report.ts";
import { answerCommand } from "./answer-command.ts";

type Write = (text: string) => void;
const toStandardOutput: Write = (text) => console.log(text);

/** Prints the predictions of the requested changes, or of all that the capture allows. */
export function whatIf(args: readonly string[], write: Write = toStandardOutput): Promise<number> {
  const read = (): Promise<Analysis> => analyzeOneCapture(takeChanges(args).rest);
  return answerCommand(read, ({ captures: [{ model }] }) => {
    const { changes } = takeChanges(args);
    const predictions =
      changes.length > 0
        ? changes.map((text) => predict(model, parseChange(model, text)))
        : predictAll(model);
    const figures = predictions.map((prediction) => predictionFigures(model, prediction));
    write(args.includes("--json") ? JSON.stringify(figures, null, 1) : predictionTable(model, predictions));
  });
}

/**
 * Prints waiting and serving of every log writer and network direction, and commits by their clients. Texts of statements
 * are printed with --statements only.
 */
export function waiting(args: readonly string[], write: Write = toStandardOutput): Promise<number> {
  const withStatements = args.includes("--statements");
  const read = (): Promise<Analysis> => analyzeOneCapture(args.filter((arg) => arg !== "--statements"));
  return answerCommand(read, ({ captures: [{ model }] }) => {
    const { rows } = waitingOf(model);
    const whoWaited = clientWaits(model, withStatements);
    const queues = rows.map((row) => waitingFigures(model, row));
    const figures = { queues, whoWaited: clientFigures(model, whoWaited) };
    write(
      args.includes("--json")
        ? JSON.stringify(figures, null, 1)
        : `${waitingTable(model, rows)}${clientWaitsText(model, whoWaited)}`,
    );
  });
}

function takeChanges(args: readonly string[]): { changes: string[]; rest: string[] } {
  const changes: string[] = [];
  const rest: string[] = [];
  for (let i = 0; i < args.length; i++) {
    if (args[i] !== "--change") rest.push(args[i]);
    else if (i + 1 < args.length) changes.push(args[++i]);
    else throw new AnalyzeError("analyze.usage", `--change needs a change. Changes are ${CHANGE_FORMS}.`);
  }
  return { changes, rest };
}

const rounded = (value: number): number | null =>
  Number.isFinite(value) ? Math.round(value * 10) / 10 : null;

function predictionFigures(model: CaptureModel, prediction: Prediction) {
  const { change, commits, of, measured, predicted, unchanged, between, behind } = prediction;
  const percentiles = ({ p50, p95, p99, max }: Prediction["measured"]) => ({
    p50: rounded(p50),
    p95: rounded(p95),
    p99: rounded(p99),
    max: rounded(max),
  });
  return {
    change: formatChange(model, change),
    name: changeName(model, change),
    commits,
    of,
    measuredUs: percentiles(measured),
    predictedUs: percentiles(predicted),
    betweenUs: {
      p50: between.p50.map(rounded),
      p95: between.p95.map(rounded),
      p99: between.p99.map(rounded),
    },
    replayedUnchangedUs: percentiles(unchanged),
    canTell: prediction.canTell,
    releases: Object.fromEntries(
      prediction.releasesPredicted.flatMap((n, r) =>
        n > 0 ? [[r === 0 ? "localFlush" : model.replicas[r - 1].name, n] as const] : [],
      ),
    ),
    behind,
  };
}

function predictionTable(model: CaptureModel, predictions: readonly Prediction[]): string {
  if (predictions.length === 0) return "The capture allows no prediction: no secondary was sent a log block.";
  const [{ measured, commits, of }] = predictions;
  if (predictions.every((prediction) => prediction.commits === 0))
    return "Can't replay this capture: every commit is missing at least one timestamp.";
  const lines = predictions.map((prediction) => {
    const { predicted, between, canTell, ownError } = prediction;
    const name = changeName(model, prediction.change).padEnd(44);
    if (!canTell)
      return `${name}can't determine: replayed unchanged, the figures are ${Math.round(100 * ownError)} % off`;
    const [low, high] = between.p95.map(msText);
    return `${name}${msText(predicted.p50).padStart(10)}${msText(predicted.p95).padStart(10)}  ${low} to ${high}`;
  });
  return [
    `Commits now: p50 ${msText(measured.p50)}, p95 ${msText(measured.p95)}; ${commits} of ${of} replayed. The load is as recorded.`,
    "",
    `${"one change".padEnd(44)}${"p50".padStart(10)}${"p95".padStart(10)}  p95 between`,
    ...lines,
  ].join("\n");
}

const KIND_NAMES: Readonly<Record<WaitingRow["kind"], string>> = {
  logWrite: "log write",
  networkOut: "network out",
  networkBack: "network back",
  unseen: "network and disk",
};

const waitingName = ({ databases, replicas, phases }: CaptureModel, row: WaitingRow): string => {
  const database = databases.length > 1 ? `${databases[row.database].name}, ` : "";
  const hasSeveral = phases.filter((each) => each.databases.includes(row.database)).length > 1;
  const phase = hasSeveral ? `, phase ${row.phase + 1}` : "";
  return `${database}${replicas[row.replica].name} ${KIND_NAMES[row.kind]}${phase}`;
};

const verdictOf = ({ isSlow, isQueued, episode }: WaitingRow): string => {
  const words = [isSlow && "slow", isQueued && "queued"].filter(Boolean).join(" and ");
  const otherwise = episode && msText(episode.waitedUs + episode.servedUs);
  return otherwise === null ? words : `${words} in the verdict's episodes; otherwise ${otherwise}`;
};

function waitingFigures(model: CaptureModel, row: WaitingRow) {
  return {
    name: waitingName(model, row),
    kind: row.kind,
    database: model.databases[row.database].name,
    phase: row.phase,
    replica: model.replicas[row.replica].name,
    blocks: row.blocks,
    busyMean: rounded(100 * row.busyMean),
    waitedUs: rounded(row.waitedUs),
    servedUs: rounded(row.servedUs),
    waitedP95Us: rounded(row.waitedP95Us),
    perSecond: rounded(row.perSecond),
    fullPerSecond: rounded(row.fullPerSecond),
    isSlow: row.isSlow,
    isQueued: row.isQueued,
    episode: row.episode && {
      stretches: row.episode.stretches.map((range) => range.map(rounded)),
      otherwiseWaitedUs: rounded(row.episode.waitedUs),
      otherwiseServedUs: rounded(row.episode.servedUs),
    },
    sharedWrites: row.sharedWrites.map(({ blocks, writes }) => ({ blocks, writes })),
  };
}

function waitingTable(model: CaptureModel, rows: readonly WaitingRow[]): string {
  const heads = ["waited", "served", "busy", "per s", "full at"];
  const width = Math.max(36, ...rows.map((row) => waitingName(model, row).length + 1));
  const lines = rows.map((row) => {
    const cells = [
      msText(row.waitedUs),
      msText(row.servedUs),
      `${(100 * row.busyMean).toFixed(1)} %`,
      row.perSecond.toFixed(1),
      Number.isNaN(row.fullPerSecond) ? "unknown" : row.fullPerSecond.toFixed(0),
    ];
    return `${waitingName(model, row).padEnd(width)}${cells.map((cell) => cell.padStart(12)).join("")}  ${verdictOf(row)}`;
  });
  return [`${"".padEnd(width)}${heads.map((head) => head.padStart(12)).join("")}`, ...lines].join("\n");
}

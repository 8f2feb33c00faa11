/** Figures of a capture to compare with other files, by phase, because a server's counters depend on its role. */
import { checkAgreement, type Agreement, type CaptureFigures, type FolderEvidence } from "@aglens/evidence";
import { commitStatistics, phaseScope, stageStatistics } from "../columns/index.ts";
import type { Statistics } from "../numbers/index.ts";
import type { CaptureModel } from "../replication/index.ts";
import { originUsOf } from "./server-clocks.ts";

type LogWrite = CaptureFigures["logWrites"][number];

/** Answer of a rule about a period between changes of roles. */
export interface CaptureAgreement extends Agreement {
  /** Index into the model's phases. */
  readonly phase: number;
}

/**
 * Answers of all rules in all phases of a capture: contradictions first.
 * @param names of the servers of the replicas, as the evidence has them
 */
export function agreementOf(
  model: CaptureModel,
  evidence: FolderEvidence,
  names: readonly string[] = model.replicas.map(({ name }) => name),
): CaptureAgreement[] {
  if (evidence.events.length + evidence.series.length === 0) return [];
  const order = [false, true, null];
  return model.phases
    .flatMap((_, phase) =>
      checkAgreement(evidence, figuresOf(model, phase, names, evidence)).map((found) => ({
        ...found,
        phase,
      })),
    )
    .sort((a, b) => order.indexOf(a.agrees) - order.indexOf(b.agrees));
}

/** Durations of events have whole µs. */
const PLUS_MINUS_MS = 0.001;

function figuresOf(
  model: CaptureModel,
  index: number,
  names: readonly string[],
  evidence: FolderEvidence,
): CaptureFigures {
  const { from, to } = model.phases[index];
  const originUs = originUsOf(model);
  const { model: phase, replicas } = phaseOf(model, index);
  const [primary, ...secondaries] = replicas.map((replica) => names[replica]);
  const commits = commitStatistics(phase);
  const write = (server: string, statistics: Statistics): LogWrite[] =>
    statistics.n === 0 ? [] : [{ server, volume: logVolume(server, evidence), ...inMs(statistics) }];
  return {
    fromUs: originUs + from,
    untilUs: originUs + to,
    primary,
    commits:
      commits.n === 0 ? [] : secondaries.map((replica) => ({ replica, count: commits.n, ...inMs(commits) })),
    logWrites: [
      ...(secondaries.length > 0 ? write(primary, stageStatistics(phase, 0, "localFlush")) : []),
      ...secondaries.flatMap((server, s) => write(server, stageStatistics(phase, s, "secondaryFlush"))),
    ],
  };
}

/** The blocks of a phase; a capture of one phase has them without a copy. */
function phaseOf(
  model: CaptureModel,
  index: number,
): { readonly model: CaptureModel; readonly replicas: readonly number[] } {
  const [{ primary, commitModes }, ...others] = model.phases;
  return others.length === 0 && primary === 0 && commitModes.every((mode) => mode !== null)
    ? { model, replicas: model.replicas.map((_, replica) => replica) }
    : phaseScope(model, index);
}

const inMs = ({ mean, p50, max }: Statistics) => ({
  meanMs: mean / 1000,
  p50Ms: p50 / 1000,
  longestMs: max / 1000,
  plusMinusMs: PLUS_MINUS_MS,
});

/** Volume of a server's log, from the path of a log file with long I/O requests; null where no file names it. */
function logVolume(server: string, { events }: FolderEvidence): string | null {
  const texts = events
    .filter((event) => event.kind === "slowIo" && event.server?.toUpperCase() === server.toUpperCase())
    .flatMap(({ sources }) => sources.map(({ text }) => text ?? ""));
  return texts.map((text) => /\[([A-Z]:)\\[^\]]*\.ldf\]/iu.exec(text)?.[1]).find((volume) => volume) ?? null;
}

/** Figures of a capture to compare with other files, by phase, because a server's counters depend on its role. */
import { checkAgreement, type Agreement, type CaptureFigures, type FolderEvidence } from "@aglens/evidence";
import { filetimeOfUnixMs } from "xel-parser/format";
import { commitStatistics, phaseScope, stageStatistics } from "../src/columns/index.ts";
import type { Statistics } from "../src/numbers/index.ts";
import type { CaptureModel } from "../src/replication/index.ts";

type LogWrite = CaptureFigures["logWrites"][number];

/** Answers of all rules in all phases of a capture: contradictions first. */
export function agreementOf(model: CaptureModel, evidence: FolderEvidence): Agreement[] {
  const order = [false, true, null];
  return model.phases
    .flatMap((_, phase) => checkAgreement(evidence, figuresOf(model, phase, evidence)))
    .sort((a, b) => order.indexOf(a.agrees) - order.indexOf(b.agrees));
}

/** Durations of events have whole µs. */
const PLUS_MINUS_MS = 0.001;

function figuresOf(model: CaptureModel, index: number, evidence: FolderEvidence): CaptureFigures {
  const { from, to } = model.phases[index];
  const originUs = Number((model.origin - filetimeOfUnixMs(0)) / 10n);
  const { model: phase } = phaseScope(model, index);
  const [primary, ...secondaries] = phase.replicas;
  const commits = commitStatistics(phase);
  const write = (server: string, statistics: Statistics): LogWrite[] =>
    statistics.n === 0 ? [] : [{ server, volume: logVolume(server, evidence), ...inMs(statistics) }];
  return {
    fromUs: originUs + from,
    untilUs: originUs + to,
    primary: primary.name,
    commits:
      commits.n === 0
        ? []
        : secondaries.map(({ name }) => ({ replica: name, count: commits.n, ...inMs(commits) })),
    logWrites: [
      ...(secondaries.length > 0 ? write(primary.name, stageStatistics(phase, 0, "localFlush")) : []),
      ...secondaries.flatMap(({ name }, s) => write(name, stageStatistics(phase, s, "secondaryFlush"))),
    ],
  };
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

/**
 * The verdict on a capture of several phases (docs/contribute/model/diagnosis.md 6.7): each phase is judged on its own, as a
 * capture with one primary, so that no figure reaches across a change of roles or from one availability group into
 * another.
 */
import { commitStatistics, phaseScope, type PhaseScope } from "../../columns/index.ts";
import { slotOfReplica } from "../../replication/shapes/slots.ts";
import type { CaptureModel } from "../../replication/shapes/tables.ts";
import { phaseBorders } from "../../replication/shapes/phase-borders.ts";
import { phaseWithBorders } from "./file-borders.ts";
import { modeChanges } from "./mode-changes.ts";
import { replicaName } from "../paths.ts";
import { roleChanges } from "./role-changes.ts";
import { sourceTerms } from "../source-terms.ts";
import { SEVERITIES, type Finding, type Verdict, type Window } from "../verdict.ts";
import { formatCount, formatDuration, formatTimesOfDay } from "../../words/words.ts";

/** Joins the verdicts of all phases. @param judge the verdict on a capture with one primary */
export function diagnosePhases(model: CaptureModel, judge: (phase: CaptureModel) => Verdict): Verdict {
  const phases = phasesWithBlocks(model);
  const verdicts = phases.map((index) => verdictOfPhase(model, index, judge));
  const roles = roleChanges(model);
  const switches = [...roles, ...modeChanges(model)].sort((a, b) => a.window!.from - b.window!.from);
  const judged = judgedAmong(model, phases);
  const most = judged
    .map((index) => verdicts[phases.indexOf(index)])
    .reduce((a, b) => (weightOf(b) > weightOf(a) ? b : a));
  const rules = withTimes(
    model,
    phases,
    verdicts.map(({ findings }) => findings.filter(({ rule }) => rule !== "D0")),
  );
  const findings = bySeverity([...switches, ...withoutRepeats(rules)]);
  const said = switches.map(({ sentence }) => sentence);
  const [first] = switches;
  const isFine = most.severity === "none" && first !== undefined;
  const own = phases[verdicts.indexOf(most)];
  const isQuiet = verdicts.every(({ severity }) => severity === "none");
  const isOneChange = switches.length === 1 && phases.length === 2;
  const compared = isQuiet && isOneChange ? beforeAndAfter(model, phases) : null;
  const isOneSide = isOneChange && (judged.length === 1 || roles.length === 0);
  const side = isOneSide ? SIDES[phases.indexOf(own)] : timeOf(model, own);
  const unknown = unknownBeside(model, phases, judged);
  return {
    ...most,
    sentence: [
      ...said,
      compared?.sentence ?? `${side}${prefixed(model, own, most.sentence)}`,
      ...unknown.map(({ sentence }) => sentence),
    ].join(" "),
    evidence: compared?.evidence ?? [...most.evidence, ...ofOnePrimary(model, roles.length > 0, own)],
    severity: isFine
      ? first.severity
      : most.severity === "none" && unknown.length > 0
        ? "notice"
        : most.severity,
    cause: isFine ? first.cause : most.cause,
    replica: isFine ? first.replica : most.replica,
    window: isFine ? first.window : most.window,
    windows: isFine ? first.windows : most.windows,
    checkNext: [...(isFine ? first : most).checkNext, ...unknown.map(({ check }) => check)].slice(0, 3),
    findings: most.severity === "none" ? [...most.findings.slice(0, 1), ...findings] : findings,
    measured: verdicts.flatMap(({ measured = [] }) => measured),
    episodes: verdicts.flatMap(({ episodes }) => episodes).sort((a, b) => a.from - b.from),
  };
}

/** Beginnings of a sentence about one side of the only change. */
const SIDES = ["Before that: ", "Since then: "] as const;

/**
 * Time of a phase whose modes apply to that time alone, for the beginning of a sentence about it; empty for a phase
 * between changes of roles.
 */
function timeOf(model: CaptureModel, phase: number): string {
  const borders = phaseBorders(model.phases).filter(({ kind }) => kind === "modeChange");
  const isAfter = borders.some(({ after }) => after === phase);
  const isBefore = borders.some(({ before }) => before === phase);
  const [from, to] = formatTimesOfDay(model.origin, model.phases[phase].from, model.phases[phase].to);
  if (isAfter && isBefore) return `From ${from} to ${to}: `;
  if (isAfter) return `Since ${from}: `;
  return isBefore ? `Until ${to}: ` : "";
}

/** The findings of all phases. A finding without a time of its own names its phase, unless every phase has it. */
function withTimes(model: CaptureModel, phases: readonly number[], found: readonly Finding[][]): Finding[] {
  const isOfAll = ({ sentence }: Finding): boolean =>
    found.every((findings) => findings.some((finding) => finding.sentence === sentence));
  return found.flatMap((findings, i) =>
    findings.map((finding) =>
      finding.window !== null || isOfAll(finding)
        ? finding
        : { ...finding, sentence: `${timeOf(model, phases[i])}${finding.sentence}` },
    ),
  );
}

/** Phases whose primary has events; all of them where no primary has any. */
function judgedAmong(model: CaptureModel, among: readonly number[]): readonly number[] {
  const judged = among.filter((index) => phaseScope(model, index).model.replicas[0].hasCapture);
  return judged.length > 0 ? judged : among;
}

/**
 * Databases whose primary has no events, in addition to others that are judged. A primary that D18 reports before or
 * after another one is not reported again.
 */
function unknownBeside(
  model: CaptureModel,
  among: readonly number[],
  judged: readonly number[],
): { readonly sentence: string; readonly check: string }[] {
  const words = sourceTerms(model);
  const isChanged = (index: number): boolean =>
    among.some(
      (other) =>
        other !== index &&
        model.phases[other].databases.some((d) => model.phases[index].databases.includes(d)),
    );
  return among
    .filter((index) => !judged.includes(index) && !isChanged(index))
    .map((index) => {
      const { primary } = model.phases[index];
      const { hasCapture } = model.replicas[primary];
      const name = replicaName(model, primary);
      return {
        sentence: `Can't determine what commits of ${databaseNames(model, index)} wait for: ${(hasCapture ? words.notThen : words.withoutEvents)(name)}.`,
        check: words.unsplitCheck(name),
      };
    });
}

/**
 * Both sides of the only change where no cause was found on either; null where a side has too few commits.
 * @param phases before and after it
 */
function beforeAndAfter(
  model: CaptureModel,
  phases: readonly number[],
): Pick<Verdict, "sentence" | "evidence"> | null {
  const sides = phases.map((index) => {
    const { model: phase } = phaseScope(model, index);
    return { name: phase.replicas[0].name, ...commitStatistics(phase) };
  });
  const [before, after] = sides;
  if (sides.some(({ n }) => n < LEAST_COMMITS)) return null;
  return {
    sentence: `Before and after, commits finish in ${formatDuration(before.p95)} and ${formatDuration(after.p95)} (p95). No stage stands out.`,
    evidence: [
      {
        before: "",
        value: formatCount(before.n),
        after:
          before.name === after.name
            ? `commits before, ${formatCount(after.n)} after`
            : `commits on ${before.name}, ${formatCount(after.n)} on ${after.name}`,
      },
      {
        before: "commit p50",
        value: formatDuration(before.p50),
        after: `before, ${formatDuration(after.p50)} after`,
      },
    ],
  };
}

/** With fewer values the p95 is one of them. */
const LEAST_COMMITS = 20;

/** Returns the phrase that names the primary of the evidence's figures, where the capture has several primaries. */
function ofOnePrimary(
  { replicas, phases }: CaptureModel,
  moved: boolean,
  phase: number,
): Verdict["evidence"] {
  if (!moved) return [];
  return [
    { before: "figures of the time with", value: replicas[phases[phase].primary].name, after: "as primary" },
  ];
}

/** The verdict on one phase alone. @param judge the verdict on a capture with one primary */
export function verdictOfPhase(
  model: CaptureModel,
  index: number,
  judge: (phase: CaptureModel) => Verdict,
): Verdict {
  const scope = phaseWithBorders(model, index);
  return inCapture(model, scope, judge(scope.model));
}

/**
 * Phases that have a block; all phases if no phase has one. Rows of one database contain no block of another group's
 * phases.
 */
function phasesWithBlocks({ phases, blocks }: CaptureModel): number[] {
  const all = phases.map((_, index) => index);
  const found = new Set(blocks.phase);
  const own = all.filter((index) => found.has(index));
  return own.length > 0 ? own : all;
}

/** A verdict of a phase with the replicas and slots of the complete capture; no window reaches beyond the phase. */
function inCapture(model: CaptureModel, { replicas, model: scope }: PhaseScope, verdict: Verdict): Verdict {
  const [{ to }] = scope.phases;
  const replicaOf = (replica: number | null): number | null => (replica === null ? null : replicas[replica]);
  const within = (window: Window | null): Window | null =>
    window && { from: window.from, to: Math.min(window.to, Math.max(to, window.from)) };
  return {
    ...verdict,
    replica: replicaOf(verdict.replica),
    window: within(verdict.window),
    findings: verdict.findings.map((finding) => ({
      ...finding,
      replica: replicaOf(finding.replica),
      window: within(finding.window),
    })),
    episodes: verdict.episodes.map((episode) => ({
      ...episode,
      secondary:
        model.hops.length === 0
          ? 0
          : slotOfReplica(replicas[0], replicas[episode.secondary + 1] ?? replicas[0]),
    })),
  };
}

/**
 * Time that commits wait in the phase, µs: where two phases have findings of one severity, the one with the larger
 * effect is reported.
 */
function weightOf({ severity, findings }: Verdict): number {
  const effects = findings.map(({ effect }) => (effect?.p95Inside ?? 0) - (effect?.p95Outside ?? 0));
  return SEVERITIES.indexOf(severity) * 1e12 + Math.max(0, ...effects);
}

/** Names the databases that a sentence is about, where phases run in parallel. */
function prefixed(model: CaptureModel, index: number, sentence: string): string {
  const { databases } = model.phases[index];
  if (databases.length === model.databases.length) return sentence;
  return `${databaseNames(model, index)}: ${sentence}`;
}

const databaseNames = ({ databases, phases }: CaptureModel, index: number): string =>
  phases[index].databases.map((d) => databases[d].name).join(", ");

function withoutRepeats(findings: readonly Finding[]): Finding[] {
  const said = new Set<string>();
  return findings.filter(({ sentence }) => {
    const isNew = !said.has(sentence);
    said.add(sentence);
    return isNew;
  });
}

const bySeverity = (findings: readonly Finding[]): Finding[] =>
  findings.toSorted((a, b) => SEVERITIES.indexOf(b.severity) - SEVERITIES.indexOf(a.severity));

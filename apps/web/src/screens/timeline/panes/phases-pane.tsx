import type { ReactNode } from "react";
import type { RangeStatistics, Summary } from "@aglens/contract";
import { timelinePanesTexts as texts } from "../../../messages/timeline-panes.ts";
import { Button } from "../../../ui/controls.tsx";
import { FigureTable } from "../../../ui/figure-table.tsx";
import { durationText, formatCount, formatDuration, formatTime } from "../../../ui/words.ts";
import { useCapture } from "../../capture-view/capture-context.ts";
import { knownCommits } from "../../capture-view/figures.ts";
import { MeanBars, pathBar } from "../../capture-view/mean-bars.tsx";
import {
  isWithoutCommits,
  modePhaseName,
  modeSwitches,
  modeSwitchText,
  namesOfSlots,
  phaseName,
  type RoleSwitch,
  roleSwitches,
} from "../../capture-view/phases.ts";
import { knownPart, meansOf } from "../../capture-view/stage-means.ts";
import { percentileColumns } from "../../capture-view/statistics-columns.tsx";
import { Answered, Facts } from "./pane-parts.tsx";
import { releasedBy, ROLES } from "./released-by.ts";
import { stageColumn } from "./stage-columns.tsx";
import { PANE_STAGES } from "../stage-names.ts";
import { useTimelineData } from "../timeline-context.ts";
import type { PartedStatistics } from "./use-parted-statistics.ts";
import type { Range } from "../viewport.ts";
import laneFrame from "../../lane-view/lane-frame.module.css";
import styles from "./pane.module.css";

type Where = "in view" | "selected";

interface PartedProps {
  /** µs */
  readonly range: Range;
  readonly parted: PartedStatistics;
  readonly where: Where;
}

/**
 * The figures of a range with a change of roles or of availability mode, one column for each side of it: no figure
 * covers both sides.
 */
export function PartedPane({ range: [from, to], parted: { phases, answer }, where }: PartedProps): ReactNode {
  const { summary } = useCapture();
  return (
    <>
      <h2>
        {durationText(to - from)} {where}, {phases.length === 2 ? texts.two : phases.length} {texts.phases}
      </h2>
      {where === "in view" ? null : (
        <p className={laneFrame.sub}>{texts.selectionReachesAcross(changeText(summary, phases))}</p>
      )}
      <Answered answer={answer}>
        {(parts) => (
          <PhasesPane phases={phases} statistics={parts.map(({ statistics }) => statistics)} where={where} />
        )}
      </Answered>
    </>
  );
}

/** Kind of the changes between phases: roles, availability modes, or both. */
function changeText(summary: Summary, phases: readonly number[]): string {
  const isBetween = ({ before, after }: Pick<RoleSwitch, "before" | "after">): boolean =>
    phases.includes(before) && phases.includes(after);
  const kinds = [
    ...(roleSwitches(summary).some(isBetween) ? [texts.changeOfRoles] : []),
    ...(modeSwitches(summary).some(isBetween) ? [texts.changeOfAvailabilityMode] : []),
  ];
  return kinds.join(" and ");
}

interface Props {
  readonly where: Where;
  /** Indices into `Summary.phases`. */
  readonly phases: readonly number[];
  /** Statistics of the range, in the order of `phases`. */
  readonly statistics: readonly RangeStatistics[];
}

/** Figures in view or selected on each side of a change: no figure covers both sides. */
function PhasesPane(props: Props): ReactNode {
  const { summary, setView } = useCapture();
  const { phases } = props;
  return (
    <>
      <BlocksOfPhases {...props} />
      <CommitsOfPhases {...props} />
      <MovedNote phases={phases} />
      <ModeNote phases={phases} />
      <MeansOfPhases {...props} />
      <StagesOfPhases {...props} />
      <ReleasedInPhases {...props} />
      <div className={styles.actions}>
        {phases.map((phase, i) => (
          <Button
            key={phase}
            kind={i === 0 ? "primary" : "plain"}
            title={modePhaseName(summary, phase) ?? undefined}
            onClick={() => setView({ phase })}
          >
            {texts.only(phaseName(summary, phase).toLowerCase())}
          </Button>
        ))}
      </div>
    </>
  );
}

function BlocksOfPhases({ phases, statistics }: Props): ReactNode {
  const { summary } = useCapture();
  const parts = statistics.map(
    ({ blocks }, i) =>
      `${formatCount(blocks)}${i === 0 ? " blocks" : ""} ${phaseName(summary, phases[i] ?? 0).toLowerCase()}`,
  );
  return <p className={styles.phases}>{parts.join(", ")}</p>;
}

function CommitsOfPhases({ phases, statistics }: Props): ReactNode {
  const { summary } = useCapture();
  const rows = statistics.map((each, i) => ({ ...each, name: phaseName(summary, phases[i] ?? 0) }));
  return (
    <FigureTable<(typeof rows)[number]>
      className={styles.apart}
      data-names="wrap"
      rows={rows}
      columns={[
        {
          id: "Commit",
          cell: ({ name, commits }) => `${name}, ${formatCount(knownCommits(summary, commits))}`,
        },
        ...percentileColumns<RangeStatistics>(
          ["p50", "p95", "p99", "max"],
          ({ commitLatency }) => commitLatency,
        ),
      ]}
    />
  );
}

type Known = RoleSwitch["known"];

const lastText = (name: string, { before }: Known): string =>
  before ? texts.releasedItsLastCommit(name) : texts.lastLogBlock(name);

function firstText(name: string, { before, after }: Known): string {
  if (!after) return texts.firstLogBlock(name);
  return before ? texts.itsFirst(name) : texts.releasedItsFirstCommit(name);
}

/** Servers that took over the primary role, with the earlier primary and the time. */
function MovedNote({ phases }: Pick<Props, "phases">): ReactNode {
  const { summary } = useCapture();
  const { switches } = useTimelineData();
  const nameOf = (phase: number): string => summary.replicas[summary.phases[phase]?.primary ?? 0]?.name ?? "";
  return switches
    .filter(({ before, after }) => phases.includes(before) && phases.includes(after))
    .map(({ from, to, before, after, known }) => (
      <p key={after} className={styles.note}>
        {texts.atAtWithoutCommits({
          thePrimary: <b>{texts.primaryMoved}</b>,
          name: lastText(nameOf(before), known),
          from: formatTime(summary, from, 3),
          otherName: firstText(nameOf(after), known),
          to: formatTime(summary, to, 3),
          otherTo: durationText(to - from),
          isWithoutCommits: isWithoutCommits({ known }),
        })}
      </p>
    ));
}

/** Replicas whose availability mode changed, and the time. */
function ModeNote({ phases }: Pick<Props, "phases">): ReactNode {
  const { summary } = useCapture();
  const words = modeSwitches(summary)
    .filter(({ before, after }) => phases.includes(before) && phases.includes(after))
    .map((change) => modeSwitchText(summary, change));
  if (words.length === 0) return null;
  return (
    <p className={styles.note}>
      <b>{texts.availabilityModeChanged}</b> {words.join("; ")}.
    </p>
  );
}

/** Mean remote harden of each phase on one scale, or the known part of it. */
function MeansOfPhases({ phases, statistics }: Props): ReactNode {
  const { summary, view } = useCapture();
  const bars = statistics.map((each, i) => {
    const names = namesOfSlots(summary, phases[i]);
    const secondary = names[view.secondary + 1] ?? "";
    const path = `${phaseName(summary, phases[i] ?? 0)}, ${names[0]} to ${secondary}`;
    const bar = pathBar(path, each, view.secondary);
    const part = knownPart(meansOf(each.stages[view.secondary]), secondary);
    return part === null
      ? { ...bar, label: texts.meanRemoteHarden(path) }
      : { ...bar, name: `${path}: ${part}`, label: texts.meanOf(path, part) };
  });
  return <MeanBars names="above" bars={bars} />;
}

/** p50 of each stage by phase, and the longest of all. */
function StagesOfPhases({ phases, statistics, where }: Props): ReactNode {
  const { summary, view } = useCapture();
  const stages = statistics.map((each) => each.stages[view.secondary]);
  const rows = PANE_STAGES.map((id) => ({ id, figures: stages.map((each) => each?.[id]) })).filter(
    ({ figures }) => figures.some((each) => (each?.n ?? 0) > 0),
  );
  return (
    <FigureTable<(typeof rows)[number]>
      data-names="wrap"
      rows={rows}
      rowKey={({ id }) => id}
      columns={[
        stageColumn(texts.stage(where), ROLES),
        ...phases.map((phase, i) => ({
          id: String(phase),
          head: `${i === 0 ? "p50 " : ""}${phaseName(summary, phase).toLowerCase()}`,
          cell: ({ figures }: (typeof rows)[number]) => formatDuration(figures[i]?.p50 ?? null),
        })),
        {
          id: "max",
          cell: ({ figures }) =>
            formatDuration(Math.max(...figures.map((each) => each?.max ?? Number.NEGATIVE_INFINITY))),
        },
      ]}
    />
  );
}

function ReleasedInPhases({ phases, statistics }: Props): ReactNode {
  const { summary } = useCapture();
  const facts = statistics.flatMap(({ gates, commits }, i) => {
    const phase = phases[i] ?? 0;
    return gates.map(
      (n, gate) =>
        [
          `${releasedBy(summary, gate, phase)}, ${phaseName(summary, phase).toLowerCase()}`,
          n === 0 ? null : `${formatCount(n)} of ${formatCount(commits)}`,
        ] as const,
    );
  });
  return <Facts facts={facts} />;
}

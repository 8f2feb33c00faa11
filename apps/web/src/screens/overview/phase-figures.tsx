import type { ReactNode } from "react";
import type { RangeStatistics, Statistics, Summary } from "@aglens/contract";
import { slotOfReplica, stageName } from "@aglens/ag-model/replication";
import { useAnswer, WHEN_DRAGGED } from "../../data/use-answer.ts";
import { Problem } from "../../frame/problem.tsx";
import { stageToken, type StageToken } from "../../lanes/palette.ts";
import { overviewTexts as texts } from "../../messages/overview.ts";
import { Card, Swatch } from "../../ui/controls.tsx";
import { type FigureColumn, FigureTable } from "../../ui/figure-table.tsx";
import { formatCount, formatDuration } from "../../ui/words.ts";
import { useCapture } from "../capture-view/capture-context.ts";
import { databaseIndex } from "../capture-view/databases.ts";
import { MeanBars, pathBar } from "../capture-view/mean-bars.tsx";
import {
  modePhaseName,
  namesOfSlots,
  phaseEdges,
  phaseIndex,
  phaseName,
  phasesAcross,
  primaryMoved,
  roleSwitches,
  statisticsOfPhases,
} from "../capture-view/phases.ts";
import { backedPercentiles } from "../capture-view/figures.ts";
import { percentileColumns } from "../capture-view/statistics-columns.tsx";
import { meansOf, namesOfMeans, pathMeanName } from "../capture-view/stage-means.ts";
import { useOverview } from "./overview-context.ts";
import { MiddleEllipsis } from "../../ui/middle-ellipsis.tsx";
import styles from "./failover.module.css";
import { Term } from "../../ui/term.tsx";
import type { TermId } from "../../messages/terms.ts";

/** No server has the same role in all phases. */
const ROLES = { primary: texts.thePrimary, secondary: texts.theSecondary };

/** Whether the range in view has figures of several phases, which are never combined. */
export function useHasPhases(): boolean {
  const { summary, view } = useCapture();
  const { scale } = useOverview();
  if (phaseIndex(summary, view.phase) !== null) return false;
  // The primary moved, but the verdict does not contain the time.
  if (primaryMoved(summary) && roleSwitches(summary).length === 0) return true;
  return phasesAcross(phaseEdges(summary), [scale.from, scale.to]).length > 0;
}

/**
 * Figures of each phase of the range in view, side by side: no figure covers both sides of a change of roles or of
 * availability mode.
 */
export function PhaseFigures(): ReactNode {
  const { source, summary, view } = useCapture();
  const { scale } = useOverview();
  const database = databaseIndex(summary, view.database);
  const { value, error, retry } = useAnswer(
    statisticsOfPhases(
      source,
      database,
      summary.phases.map((_, phase) => phase),
      scale,
    ),
    WHEN_DRAGGED,
  );
  const problem = <Problem sentence={error} onRetry={retry} />;
  if (value === null) {
    return (
      <Card
        title={texts.perPhase(pathMeanName(meansOf(summary.stages[view.secondary]), ROLES))}
        aria-busy={error === null}
      >
        {problem}
      </Card>
    );
  }
  const figures = value.map(({ statistics }) => statistics);
  // Where the primary moved another server has the role in each phase.
  const toWhom = primaryMoved(summary) ? undefined : namesOfSlots(summary)[view.secondary + 1];
  const { title, less } = namesOfMeans(
    figures.map(({ stages }, phase) => ({
      name: phaseName(summary, phase),
      means: meansOf(stages[view.secondary]),
      secondary: namesOfSlots(summary, phase)[view.secondary + 1] ?? ROLES.secondary,
    })),
  );
  return (
    <>
      <Card
        title={texts.perPhase(title)}
        aside={toWhom === undefined ? texts.sameScale : texts.toSameScale(toWhom)}
      >
        {problem}
        <PhaseMeans phases={figures} />
        {less === null ? null : <p className={styles.note}>{less}</p>}
        <ModeNote />
        <PhaseTable phases={figures} />
        <Released phases={figures} />
      </Card>
      {primaryMoved(summary) ? <DiskInBothRoles phases={figures} /> : null}
    </>
  );
}

interface Props {
  readonly phases: readonly RangeStatistics[];
}

/** The phases as periods of an availability mode. */
function ModeNote(): ReactNode {
  const { summary } = useCapture();
  const words = summary.phases.flatMap((_, phase) => {
    const name = modePhaseName(summary, phase);
    return name === null ? [] : [`${phaseName(summary, phase)}: ${name}`];
  });
  return words.length === 0 ? null : <p className={styles.note}>{words.join("; ")}.</p>;
}

function PhaseMeans({ phases }: Props): ReactNode {
  const { summary, view } = useCapture();
  const bars = phases.map((statistics, phase) => {
    const name = phaseName(summary, phase);
    const names = namesOfSlots(summary, phase);
    const title = `${modePhaseName(summary, phase) ?? name}, ${names[0]} to ${names[view.secondary + 1]}`;
    return { ...pathBar(name, statistics, view.secondary), title };
  });
  return <MeanBars names="before" bars={bars} />;
}

/** Figures are by role, because the servers change theirs. */

const FIGURES: readonly {
  readonly label: string;
  readonly term: TermId;
  readonly token: StageToken;
  readonly of: (statistics: RangeStatistics, secondary: number) => number | null | undefined;
}[] = [
  { label: texts.commitP50, term: "p50", token: "--wait", of: ({ commitLatency }) => commitLatency.p50 },
  {
    label: texts.commitP95,
    term: "p95",
    token: "--wait",
    of: ({ commitLatency }) => backedPercentiles(commitLatency).p95,
  },
  { label: texts.commitMax, term: "max", token: "--wait", of: ({ commitLatency }) => commitLatency.max },
  ...(
    ["localFlush", "secondaryFlush", "networkRoundTrip", "send", "secondaryAppend", "ackReceive"] as const
  ).map((stage) => ({
    label: stageName(stage, { primary: "Primary", secondary: "Secondary" }),
    term: stage,
    token: stage === "networkRoundTrip" ? ("--n-out" as const) : stageToken(stage),
    of: ({ stages }: RangeStatistics, secondary: number) => stages[secondary]?.[stage]?.p50,
  })),
];

/** A smaller change is shown in a lighter color. */
const LEAST_CHANGE = 0.1;

function PhaseTable({ phases }: Props): ReactNode {
  const { summary, view } = useCapture();
  const isPair = phases.length === 2;
  const rows = FIGURES.map(({ label, term, token, of }) => ({
    label,
    term,
    token,
    values: phases.map((statistics) => of(statistics, view.secondary) ?? null),
  }));
  return (
    <FigureTable<(typeof rows)[number]>
      data-names="cut"
      rows={rows}
      rowKey={({ label }) => label}
      columns={[
        {
          id: "By role; p50 where not named",
          cell: ({ label, term, token }) => (
            <>
              <Swatch color={`var(${token})`} />
              <Term id={term}>{label}</Term>
            </>
          ),
          cellProps: ({ label }) => ({ title: label }),
        },
        ...phases.map((_, phase) => ({
          id: isPair ? phaseName(summary, phase) : String(phase + 1),
          cell: ({ values }: (typeof rows)[number]) => formatDuration(values[phase]),
        })),
        ...(isPair ? [changeColumn] : []),
      ]}
    />
  );
}

/** Change from the first of two values to the second. */
const changeColumn: FigureColumn<{ readonly values: readonly (number | null)[] }> = {
  id: "Change",
  cell: ({ values }) => {
    const change = changeOf(values);
    if (change === null) return "\u2013";
    const percent = Math.round(Math.abs(change) * 100);
    return `${percent === 0 ? "" : change < 0 ? "\u2212" : "+"}${percent}\u202F%`;
  },
  cellProps: ({ values }) => {
    const isLarge = Math.abs(changeOf(values) ?? 0) >= LEAST_CHANGE;
    return { "data-strong": isLarge, "data-quiet": !isLarge };
  },
};

function changeOf([before = null, after = null]: readonly (number | null)[]): number | null {
  return before === null || after === null || before <= 0 ? null : after / before - 1;
}

/** Commits that an acknowledgment released, in each phase. */
function Released({ phases }: Props): ReactNode {
  const { summary } = useCapture();
  const parts = phases.map(({ gates, commits }, phase) => {
    const byAck = gates.slice(1).reduce((sum, n) => sum + n, 0);
    return `${formatCount(byAck)} of ${formatCount(commits)} ${phaseName(summary, phase).toLowerCase()}`;
  });
  if (summary.commits.count === 0) return null;
  return <p className={styles.note}>{texts.releasedByASecondarys(parts.join(", "))}</p>;
}

/** Whether a disk or a role is slow: the only table by server. */
function DiskInBothRoles({ phases }: Props): ReactNode {
  const { summary } = useCapture();
  const rows = summary.replicas
    .map(({ name }, replica) => ({
      name,
      asPrimary: logWrites(summary, phases, replica, true),
      asSecondary: logWrites(summary, phases, replica, false),
    }))
    .filter(({ asPrimary, asSecondary }) => asPrimary !== null || asSecondary !== null);
  if (rows.length === 0) return null;
  return (
    <Card title={texts.sameLogDisk} aside={texts.logWriteP50}>
      <FigureTable<(typeof rows)[number]>
        data-names="cut"
        rows={rows}
        rowKey={({ name }) => name}
        columns={[
          { id: "Server", className: styles.serverName, cell: ({ name }) => <MiddleEllipsis text={name} /> },
          ...inRole("primary", "--p-disk", ({ asPrimary }) => asPrimary),
          ...inRole("secondary", "--s-disk", ({ asSecondary }) => asSecondary),
        ]}
      />
    </Card>
  );
}

interface DiskRow {
  readonly asPrimary: Statistics | null;
  readonly asSecondary: Statistics | null;
}

const inRole = (
  role: string,
  token: StageToken,
  statisticsOf: (row: DiskRow) => Statistics | null,
): FigureColumn<DiskRow>[] =>
  percentileColumns(["p50", "p95"], statisticsOf).map((column, i) => ({
    ...column,
    id: `${role} ${column.id}`,
    head: (
      <>
        {i === 0 ? <Swatch color={`var(${token})`} /> : null}
        {i === 0 ? role : column.id}
      </>
    ),
  }));

/** A server's log writes in one role, from the phase with most of them; null where none is known. */
function logWrites(
  summary: Summary,
  phases: readonly RangeStatistics[],
  replica: number,
  asPrimary: boolean,
): Statistics | null {
  const found = summary.phases.flatMap(({ primary }, phase) => {
    if ((primary === replica) !== asPrimary) return [];
    const stages = phases[phase]?.stages;
    const figures = asPrimary
      ? stages?.[0]?.localFlush
      : stages?.[slotOfReplica(primary, replica)]?.secondaryFlush;
    return figures === undefined || figures.n === 0 ? [] : [figures];
  });
  return found.toSorted((a, b) => b.n - a.n)[0] ?? null;
}

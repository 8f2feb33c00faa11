import type { ReactNode } from "react";
import type { Episode, FlushClasses, PausedPath, RangeStatistics, Summary } from "@aglens/contract";
import type { TimeRange } from "../../data/capture-source.ts";
import { type Answer, useAnswer } from "../../data/use-answer.ts";
import { Problem } from "../../frame/problem.tsx";
import { overviewTexts as texts } from "../../messages/overview.ts";
import { Card, Swatch, Value } from "../../ui/controls.tsx";
import { FigureTable } from "../../ui/figure-table.tsx";
import { durationText, formatCount, formatDuration, formatPercent, percentFigure } from "../../ui/words.ts";
import { useCapture } from "../capture-view/capture-context.ts";
import { FLUSH_CLASSES, mainEpisode } from "../capture-view/figures.ts";
import { MeanBars } from "../capture-view/mean-bars.tsx";
import { StageLink } from "../capture-view/capture-links.tsx";
import { useOverview } from "./overview-context.ts";
import {
  isHidden,
  isTotalKnown,
  type Means,
  meansOf,
  pathMean,
  pathMeanName,
  rowMean,
  rowSum,
  rowsWithoutFile,
  ssmsAverages,
  type StageRow,
  stageRows,
  standstillOf,
  standstillSentence,
} from "../capture-view/stage-means.ts";
import { classColumns } from "../capture-view/statistics-columns.tsx";
import styles from "./rail.module.css";
import { Term } from "../../ui/term.tsx";

interface Regime {
  readonly label: string;
  readonly means: Means;
  /** Part of the means in which a server was unresponsive, as far as it is known. */
  readonly paused: PausedPath;
}

/** Part of each regime's means in which a server was unresponsive. */
type PausedMeans = Readonly<Record<"view" | "episode" | "otherwise" | "whole", PausedPath>>;

/** The two regimes worth a comparison: a zoomed view against the capture, else the longest episode against the rest. */
function regimes(
  summary: Summary,
  secondary: number,
  episode: Episode | null,
  view: RangeStatistics | null,
  paused: PausedMeans,
): Regime[] {
  const whole = { label: texts.whole, means: meansOf(summary.stages[secondary]), paused: paused.whole };
  if (view)
    return [{ label: texts.inViewLabel, means: meansOf(view.stages[secondary]), paused: paused.view }, whole];
  if (!episode) return [whole];
  return [
    { label: episode.label, means: episode.inside, paused: paused.episode },
    { label: texts.otherwise, means: episode.outside, paused: paused.otherwise },
    whole,
  ];
}

/** Stages of an average block's time, both regimes on one scale. */
export function MeanRemoteHarden() {
  const capture = useCapture();
  const { summary } = capture;
  const { secondary } = capture.view;
  const { names, ground, statistics, judged } = useOverview();
  const episode = mainEpisode(summary.verdict, ground.episodes);
  // Means of a zoomed view; the complete capture has its own means.
  const view = capture.view.range === null ? null : statistics.value;
  const whole = { from: 0, to: Math.max(1, summary.durationUs) };
  const compared = view === null ? episode : null;
  const inWhole = usePausedStatistics(whole);
  const inEpisode = usePausedStatistics(compared);
  const otherwise = usePausedStatistics(compared && whole, compared);
  const shown = regimes(summary, secondary, episode, view, {
    view: view?.paused[secondary] ?? null,
    episode: inEpisode.value?.paused[secondary] ?? null,
    otherwise: otherwise.value?.paused[secondary] ?? null,
    whole: inWhole.value?.paused[secondary] ?? null,
  });
  const standstill = standstillOf(view ?? inWhole.value, secondary, summary);
  const isComing =
    view === null && summary.pauses.length > 0 && inWhole.value === null && inWhole.error === null;
  const columns = shown.length > 1 ? shown.slice(0, 2) : shown;
  const shareOf = meansOf((view ?? summary).stages[secondary]);
  // Shares refer to the complete path. Where only the secondary's own part is known, there are no shares.
  const total = isTotalKnown(shareOf) ? pathMean(shareOf) : null;
  // The verdict's own shares, where it covers the range in view: a mean of each stage's own blocks may differ from them
  // by a percent.
  const shares = view === null || judged.isInView ? judged.summary.shares[secondary] : undefined;
  const rows = (isHidden(shareOf) && total !== null ? rowsWithoutFile(names) : stageRows(names))
    .map((row) => ({ row, share: (shares && rowSum(row, shares)) ?? partOf(rowMean(row, shareOf), total) }))
    .toSorted((a, b) => (b.share ?? 0) - (a.share ?? 0));
  const isSmall = ({ share }: SharedRow): boolean => share !== null && share < SMALL_SHARE;
  const small = rows.filter(isSmall).length > 1 ? rows.filter(isSmall) : [];
  const large = rows.filter((row) => !small.includes(row));
  return (
    <Card
      title={<Term id="remoteHarden">{pathMeanName(shareOf, names)}</Term>}
      aside={shown.length > 1 ? texts.sameScale : texts.to(names.secondary)}
      aria-busy={isComing}
    >
      {capture.view.range === null ? null : (
        <Problem sentence={statistics.error} onRetry={statistics.retry} />
      )}
      <MeanBars
        names="before"
        bars={shown.map(({ label, means, paused }) => ({
          name: label,
          us: pathMean(means),
          stages: { ...means, localFlush: null },
          paused,
        }))}
      />
      <FigureTable<SharedRow>
        className={styles.stages}
        data-names="cut"
        rows={large}
        rowKey={({ row }) => row.key}
        columns={[
          {
            id: "Stage",
            cell: ({ row }) => (
              <>
                <Swatch color={`var(${row.token})`} />
                <RowName row={row} />
              </>
            ),
            cellProps: ({ row }) => ({ title: row.label }),
          },
          ...columns.map(({ label, means }) => ({
            id: label === episode?.label ? "Slow" : label,
            cell: ({ row }: SharedRow) => formatDuration(rowMean(row, means)),
          })),
          {
            id: view ? "Share of view" : "Share of all",
            term: "share",
            cell: ({ share }) => <Value figure={percentFigure(share, 1)} strong />,
          },
        ]}
      />
      <SmallStages rows={small} />
      {standstill === null ? null : (
        <p className={styles.cardNote}>
          {standstillSentence(standstill, view === null ? texts.meanOfAllBlocks : texts.meanInView)}
        </p>
      )}
    </Card>
  );
}

/** A stage with its share of the mean; null where the mean is not known. */
interface SharedRow {
  readonly row: StageRow;
  readonly share: number | null;
}

/** Several stages below this share have no lines of their own. */
const SMALL_SHARE = 0.01;

/** `4 other stages: 1.7 % together. Distribution`; absent without such stages. */
function SmallStages({ rows }: { readonly rows: readonly SharedRow[] }): ReactNode {
  const { open } = useCapture();
  if (rows.length === 0) return null;
  const share = rows.reduce((sum, row) => sum + (row.share ?? 0), 0);
  return (
    <p className={styles.cardNote} title={rows.map(({ row }) => row.label).join("\n")}>
      {texts.otherStagesTogether(rows.length, formatPercent(share, 1))}{" "}
      <button type="button" className={styles.link} onClick={() => open("distribution")}>
        {texts.distribution}
      </button>
    </p>
  );
}

const partOf = (us: number | null, total: number | null): number | null =>
  us === null || total === null || total <= 0 ? null : us / total;

/**
 * Statistics of a range, without another one, in a capture in which servers were unresponsive; other captures need no
 * request.
 */
function usePausedStatistics(
  range: TimeRange | null,
  except: TimeRange | null = null,
): Answer<RangeStatistics> {
  const { source, summary } = useCapture();
  const asked = range !== null && summary.pauses.length > 0 ? periodOf(range) : null;
  const question = asked && source.statistics(asked, null, except === null ? undefined : periodOf(except));
  return useAnswer(question, { keepsValue: false });
}

/** An episode has more than that. */
const periodOf = ({ from, to }: TimeRange): TimeRange => ({ from, to });

/** A row of several stages links to the acknowledgment stage, a row without stages has no link. */
function RowName({ row: { ids, label } }: { readonly row: StageRow }): ReactNode {
  const [first] = ids;
  if (first === undefined) return <Term id="unseen">{label}</Term>;
  return <StageLink stage={ids.length > 1 ? "acknowledge" : first}>{label}</StageLink>;
}

const totalOf = (classes: FlushClasses): number =>
  FLUSH_CLASSES.reduce((sum, { key }) => sum + classes[key], 0);

/**
 * `whole capture, 1,018 writes each`: scope and number of the writes in the classes. @param whole null where all of
 * them are in view @param each null when replicas differ
 */
function writesText(whole: string | null, each: number | null): string | undefined {
  const scope = whole === null ? [] : [whole];
  const count = each === null ? [] : [texts.writesEach(formatCount(each))];
  return [...scope, ...count].join(", ") || undefined;
}

/** Log writes of every replica of which they are known, by the published classes. */
export function LogWrites() {
  const { summary, words } = useOverview().judged;
  const replicas = summary.replicas.flatMap((replica, i) => {
    const classes = summary.flushClasses[i];
    return classes ? [{ name: replica.name, classes }] : [];
  });
  const totals = new Set(replicas.map(({ classes }) => totalOf(classes)));
  return (
    <Card
      title={<Term id="writeClasses">{texts.logWritesByClass}</Term>}
      aside={writesText(words, totals.size === 1 ? [...totals][0]! : null)}
    >
      <FigureTable<(typeof replicas)[number]>
        className={styles.classes}
        rows={replicas}
        rowKey={({ name }) => name}
        columns={[
          { id: "Replica", isHeadHidden: true, className: styles.replica, cell: ({ name }) => name },
          ...classColumns<(typeof replicas)[number]>(({ classes }) => classes),
        ]}
        cellsBelow={({ classes }) => (
          <tr aria-hidden="true">
            <td />
            <td colSpan={FLUSH_CLASSES.length}>
              <div className={styles.classBar}>
                {FLUSH_CLASSES.map(({ key }) => (
                  <i key={key} style={{ flexGrow: classes[key], background: `var(--c-${key})` }} />
                ))}
              </div>
            </td>
          </tr>
        )}
      />
    </Card>
  );
}

/** The averages under the names of SSMS and its counters. */
export function SsmsAverages() {
  const { view } = useCapture();
  const { summary, words } = useOverview().judged;
  const rows = ssmsAverages(summary, view.secondary);
  const aside = words ?? undefined;
  return (
    <Card title={texts.averagesAsSsmsReports} aside={aside} className={styles.ssms}>
      <dl>
        {rows.map(({ name, term, mean }) => (
          <div key={name}>
            <dt>
              <Term id={term}>{name}</Term>
            </dt>
            <dd className="one-line ink figures">{durationText(mean)}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}

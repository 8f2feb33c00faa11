import type { ReactNode } from "react";
import { type StageId, stageLabel } from "@aglens/ag-model/replication";
import type { Episode, RangeStatistics, Summary } from "@aglens/contract";
import { type Regime, type RegimePair, twoRegimes } from "../../../charts/timeline/regimes.ts";
import type { Answer } from "../../../data/use-answer.ts";
import { type ReplicaNames, stageToken } from "../../../lanes/palette.ts";
import { databasesOf } from "../../../lanes/split-lanes.ts";
import { timelinePanesTexts as texts } from "../../../messages/timeline-panes.ts";
import { Button, Kbd, Swatch } from "../../../ui/controls.tsx";
import { FigureTable } from "../../../ui/figure-table.tsx";
import { MiddleEllipsis } from "../../../ui/middle-ellipsis.tsx";
import { termProps } from "../../../ui/term.tsx";
import { durationText, formatCount, formatOffset, formatTimes, unbroken } from "../../../ui/words.ts";
import { episodeSentence } from "../../capture-view/agreeing-evidence.ts";
import { databaseName } from "../../capture-view/databases.ts";
import { commitsText, knownCommits, ratePerSecond } from "../../capture-view/figures.ts";
import { primaryMoved } from "../../capture-view/phases.ts";
import { useCapture } from "../../capture-view/capture-context.ts";
import { unknownReleases } from "../../capture-view/release.ts";
import { useReplicaNames } from "../../capture-view/names.ts";
import { toggledLanes } from "../../capture-view/capture-lanes.ts";
import { StageLink } from "../../capture-view/capture-links.tsx";
import { MeanBars } from "../../capture-view/mean-bars.tsx";
import { backedNames, percentileColumns } from "../../capture-view/statistics-columns.tsx";
import { useEqualLsns } from "../lanes/equal-lsns-lane.tsx";
import { largestShare, durationSubject } from "./largest-share.ts";
import { PartedPane } from "./phases-pane.tsx";
import { Answered, Facts, Reading, Readouts } from "./pane-parts.tsx";
import { releasedBy, ROLES } from "./released-by.ts";
import { paneStages } from "../stage-names.ts";
import { useTimelineData, useTimelineSelection } from "../timeline-context.ts";
import type { Range } from "../viewport.ts";
import laneFrame from "../../lane-view/lane-frame.module.css";
import styles from "./pane.module.css";

interface Props {
  readonly answer: Answer<RangeStatistics>;
  /** The range of the request, µs. */
  readonly range: Range;
}

/** Percentiles, regimes and stages of the range in view. */
export function RangePane({ answer, range }: Props): ReactNode {
  const { value: statistics } = answer;
  const { parted } = useTimelineData();
  const [from, to] = statistics ? [statistics.from, statistics.to] : range;
  if (parted !== null) return <PartedPane range={range} parted={parted} where={texts.inView} />;
  return (
    <>
      <h2>{texts.inViewPart(durationText(to - from))}</h2>
      <Answered answer={answer}>{(value) => <RangeFigures statistics={value} range={range} />}</Answered>
    </>
  );
}

interface FiguresProps extends Omit<Props, "answer"> {
  readonly statistics: RangeStatistics;
}

function RangeFigures({ statistics: s, range }: FiguresProps): ReactNode {
  const { summary } = useCapture();
  return (
    <>
      <p className={laneFrame.sub}>{texts.blocksAndCommits(s.blocks, commitsText(summary, s.commits))}</p>
      {s.blocks === 0 ? (
        <p className={laneFrame.sub}>{texts.percentilesNeedBlocks}</p>
      ) : (
        <Figures statistics={s} range={range} />
      )}
    </>
  );
}

function Figures(props: FiguresProps): ReactNode {
  const { buffer } = useTimelineData();
  return (
    <>
      <Readouts
        figures={props.statistics.commitLatency}
        shown={["p50", "p95", "p99", "max"]}
        single="commit"
      />
      <CommitsOfDatabases />
      {buffer.value === null && buffer.error === null ? (
        <Reading>{texts.readingTheBlocksOf}</Reading>
      ) : (
        <FiguresWithBlocks {...props} />
      )}
    </>
  );
}

/** Figures that come from blocks are above the stages, so the stages wait for the blocks. */
function FiguresWithBlocks({ statistics, range: [from, to] }: FiguresProps): ReactNode {
  const { summary, view } = useCapture();
  const { buffer } = useTimelineData();
  const { selection } = useTimelineSelection();
  const names = useReplicaNames();
  const blocks = buffer.value?.blocks;
  const regimes = blocks ? twoRegimes(blocks, summary, view.secondary, from, to) : null;
  return (
    <>
      <EqualLsnsNote />
      {regimes ? <Regimes regimes={regimes} names={names} /> : null}
      <StagesOfRange
        where={texts.inView}
        stages={statistics.stages[view.secondary]}
        names={primaryMoved(summary) ? ROLES : names}
      />
      <RangeFacts statistics={statistics} regimes={regimes} />
      <div className={styles.actions}>
        <Button kind="primary" onClick={() => selection.toSlow(1)}>
          {texts.slowestInView} <Kbd>n</Kbd>
        </Button>
      </div>
    </>
  );
}

/** Note that an LSN is in view several times, with the distance. */
function EqualLsnsNote(): ReactNode {
  const equal = useEqualLsns();
  const [first, second] = equal ?? [];
  if (equal === null || first === undefined || second === undefined) return null;
  const count = new Set(equal.map(({ lsn }) => lsn)).size;
  return (
    <p className={styles.note}>
      {count === 1 && equal.length === 2 ? (
        <>{texts.lsnIsInView(<code>{first.lsn}</code>, durationText(second.time - first.time))}</>
      ) : (
        texts.inViewBlocks(count)
      )}
    </p>
  );
}

/** Commits of each database that has lanes of its own; a row without figures until they are known. */
function CommitsOfDatabases(): ReactNode {
  const { summary } = useCapture();
  const { lanes, ofDatabases } = useTimelineData();
  const databases = databasesOf(lanes.all);
  if (databases.length === 0) return null;
  return (
    <FigureTable
      className={styles.apart}
      data-names="cut"
      rows={databases}
      columns={[
        { id: "Commit", cell: (database) => <MiddleEllipsis text={databaseName(summary, database) ?? ""} /> },
        {
          id: "n",
          cell: (database) => {
            const figures = ofDatabases.get(database);
            return figures && formatCount(knownCommits(summary, figures.commits));
          },
        },
        ...percentileColumns<number>(
          backedNames(
            PERCENTILES,
            databases.map((database) => ofDatabases.get(database)?.commitLatency),
          ),
          (database) => ofDatabases.get(database)?.commitLatency,
        ),
      ]}
    />
  );
}

const PERCENTILES = ["p50", "p95", "max"] as const;

/** Percentiles of each stage that blocks of the range have. */
export function StagesOfRange({
  where,
  stages,
  names,
}: {
  where: string;
  stages: RangeStatistics["stages"][number] | undefined;
  names: ReplicaNames;
}): ReactNode {
  const rows = paneStages(stages?.captureLag?.p95).flatMap((id) => {
    const figures = stages?.[id];
    return figures === undefined || figures.n === 0 ? [] : [{ id, name: stageLabel(id, names), figures }];
  });
  return (
    <FigureTable<(typeof rows)[number]>
      data-names="wrap"
      rows={rows}
      rowKey={({ id }) => id}
      columns={[
        {
          id: "stage",
          head: texts.stage(where),
          cell: ({ id, name }) => <StageOfRange id={id} name={name} />,
        },
        ...percentileColumns<(typeof rows)[number]>(
          backedNames(
            PERCENTILES,
            rows.map(({ figures }) => figures),
          ),
          ({ figures }) => figures,
        ),
      ]}
    />
  );
}

/**
 * Color and name of a stage as one button: a press isolates its lane, which has a link to Distribution, and a second
 * press ends that. For a stage without a lane the button is the link itself.
 */
function StageOfRange({ id, name }: { readonly id: StageId; readonly name: string }): ReactNode {
  const { view, setView } = useCapture();
  const { lanes, isolated } = useTimelineData();
  const own = lanes.all.filter(
    ({ figure, secondary }) => figure === id && (secondary < 0 || secondary === view.secondary),
  );
  const keys = own.map(({ key }) => key);
  const swatch = <Swatch color={`var(${stageToken(id)})`} />;
  if (keys.length === 0)
    return (
      <div className="row gap-8">
        {swatch}
        <StageLink stage={id}>{name}</StageLink>
      </div>
    );
  const isPressed = keys.every((key) => isolated.includes(key));
  return (
    <button
      type="button"
      className={styles.isolate}
      aria-pressed={isPressed}
      {...termProps(id, isPressed ? texts.pressToShowAll : texts.pressToIsolate)}
      onClick={() => setView({ isolated: toggledLanes(view.isolated, keys) })}
    >
      <span className="row gap-8">
        {swatch}
        <MiddleEllipsis text={name} />
      </span>
    </button>
  );
}

/**
 * "100"; where an episode's edge divides the view, both rates: "6.0 then 90"; one rate for both where a side is shorter
 * than a second.
 */
function blocksPerSecond(s: RangeStatistics, regimes: RegimePair | null): string | null {
  if (regimes?.kind !== "edge") return ratePerSecond(s.blocks, s.to - s.from);
  const rates = regimes.pair.map((r) => ratePerSecond(r.blocks, r.to - r.from));
  return rates.includes(null) ? ratePerSecond(s.blocks, s.to - s.from) : rates.join(" then ");
}

/** The causes that released the commits of the range, and the number of blocks per second. */
function RangeFacts({
  statistics: s,
  regimes,
}: {
  readonly statistics: RangeStatistics;
  readonly regimes: RegimePair | null;
}): ReactNode {
  const { summary, view } = useCapture();
  const rate = view.where === null ? blocksPerSecond(s, regimes) : null;
  const commits = (n: number): string | null => (n === 0 ? null : texts.commitPart(n));
  return (
    <Facts
      facts={[
        ...s.gates.map((n, gate) => [releasedBy(summary, gate), commits(n)] as const),
        [texts.releaseNotKnown, commits(unknownReleases(s.commits, s.gates))],
        [texts.logBlocksPerSecond, rate],
      ]}
    />
  );
}

/** "the network takes 150 ms, 99 % of remote harden"; the second regime does not repeat the reference. */
function regimeText(r: Regime, names: ReplicaNames, summary: Summary, of = ""): string {
  const largest = largestShare(r.stages, r.paused, names, summary);
  return largest === null
    ? texts.nothingIsKnown
    : unbroken(`${largest.name} ${durationSubject(largest, r.total)}${of}`);
}

/**
 * Stages that commits wait for outside remote harden. The path of the blocks is as usual there, so its parts explain
 * nothing.
 */
const BESIDE_PATH: ReadonlySet<StageId> = new Set(["commitQueue", "localFlush", "captureLag"]);

/** "flow control: commits took 367 ms instead of 5.30 ms (p95)" */
function besidePathText({ label, cause }: Episode, { verdict }: Summary): string {
  const { p95Inside = null, p95Outside = null } =
    verdict.findings.find((finding) => finding.cause === cause)?.effect ?? {};
  // It begins with a server's name.
  const what = cause === "server_pause" ? label : `${label.charAt(0).toLowerCase()}${label.slice(1)}`;
  if (p95Inside === null || p95Outside === null) return what;
  return texts.commitsTookInstead(what, durationText(p95Inside), durationText(p95Outside));
}

interface RegimesProps {
  readonly regimes: RegimePair;
  readonly names: ReplicaNames;
}

/** Two regimes with their time: until when, or from when to when. */
function Regimes({ regimes: { kind, pair, stretches: periods, episode }, names }: RegimesProps): ReactNode {
  const { summary } = useCapture();
  const { happened } = useTimelineData();
  const shown = {
    from: Math.min(...pair.map((each) => each.from)),
    to: Math.max(...pair.map((each) => each.to)),
  };
  const agreeing = happened && episodeSentence(happened.answer, episode, shown, summary);
  const inside = kind === "inside";
  const [{ from, to }] = pair;
  const [start, end] = formatTimes(summary, from, to);
  const when =
    periods > 1
      ? texts.inPeriodsBetweenAnd(periods, start, end)
      : inside
        ? texts.fromTo(start, end)
        : texts.untilLabel(end);
  const offset = (us: number) => formatOffset(summary, us, 100_000);
  const offsets = inside
    ? `${periods > 1 ? texts.periodCount(periods) : ""}${offset(from)} to ${offset(to)}`
    : texts.untilLabel(offset(to));
  return (
    <>
      <p className={styles.note} data-bad="true">
        <b>{texts.twoRegimes}</b> {when}{" "}
        {BESIDE_PATH.has(episode.stage) ? (
          <>{texts.meanRemoteHardenPart(besidePathText(episode, summary))}</>
        ) : (
          <>
            {texts.otherwiseAfterIt(
              regimeText(pair[0], names, summary, texts.ofRemoteHarden),
              inside,
              regimeText(pair[1], names, summary),
            )}
          </>
        )}
        {agreeing === null ? null : ` ${agreeing}`}
      </p>
      <MeanBars
        names="above"
        bars={pair.map(({ blocks, total, stages, paused }, i) => ({
          name: texts.blocks(i, offsets, inside, formatCount(blocks)),
          us: total,
          stages,
          paused,
          label: texts.meanRemoteHardenLabel,
        }))}
      />
    </>
  );
}

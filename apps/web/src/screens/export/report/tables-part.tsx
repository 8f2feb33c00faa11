import type { ReactNode } from "react";
import type { Statistics } from "@aglens/contract";
import { type StageId, STAGES, stageName } from "@aglens/ag-model/replication";
import { stageToken } from "../../../lanes/palette.ts";
import { reportTexts as texts } from "../../../messages/report.ts";
import { type FigureColumn, FigureTable } from "../../../ui/figure-table.tsx";
import {
  durationText,
  formatCount,
  formatPercent,
  formatUncertainty,
  formatRange,
} from "../../../ui/words.ts";
import { aheadText } from "../../capture-view/names.ts";
import {
  backedPercentiles,
  commitsText,
  FLUSH_CLASSES,
  LEAST_P95,
  LEAST_P99,
  mainEpisode,
} from "../../capture-view/figures.ts";
import { scopeText, completeText } from "../../capture-view/databases.ts";
import {
  isTotalKnown,
  type Means,
  meansOf,
  pathMean,
  pathMeanName,
  ssmsAverages,
  standstillSentence,
} from "../../capture-view/stage-means.ts";
import type { ReportData } from "./report-data.ts";
import { joinableBlocks, uncoveredPeriods } from "../../capture-view/coverage.ts";
import { Section } from "./section.tsx";

/** Percentiles by stage, classes of log writes, and the averages that other reports show. */
export function StagesPart({ data }: { readonly data: ReportData }): ReactNode {
  return (
    <>
      <StageTable data={data} />
      <div className="two">
        <Classes data={data} />
        <Averages data={data} />
      </div>
    </>
  );
}

function StageTable({ data }: { readonly data: ReportData }): ReactNode {
  const { summary, choice, names, whole } = data;
  const stages = summary.stages[choice.secondary] ?? {};
  const shares = summary.shares[choice.secondary] ?? {};
  const means = meansOf(summary.stages[choice.secondary]);
  const episode = mainEpisode(summary.verdict, whole.ground.episodes);
  const rows = STAGES.flatMap(({ id }) => {
    const figures = (stages as Partial<Record<StageId, Statistics>>)[id];
    return figures === undefined || figures.n === 0
      ? []
      : [{ id, n: figures.n, mean: figures.mean, ...backedPercentiles(figures) }];
  });
  return (
    <Section
      id="stages"
      title={texts.stages}
      note={texts.towardsP95FromValues(names.secondary, LEAST_P95, LEAST_P99)}
    >
      <FigureTable<(typeof rows)[number]>
        rows={rows}
        columns={[
          {
            id: "Stage",
            cell: ({ id }) => (
              <>
                <i style={{ background: `var(${stageToken(id)})` }} /> {stageName(id, names)}
              </>
            ),
          },
          { id: "n", className: "number", cell: ({ n }) => formatCount(n) },
          ...(["p50", "p95", "p99", "max", "mean"] as const).map((id) =>
            durationColumn<(typeof rows)[number]>(id, (row) => row[id]),
          ),
          ...(episode === null
            ? []
            : [
                durationColumn<(typeof rows)[number]>("mean, slow", ({ id }) => meanOf(episode.inside, id)),
                durationColumn<(typeof rows)[number]>("mean, otherwise", ({ id }) =>
                  meanOf(episode.outside, id),
                ),
              ]),
          {
            id: "share of harden",
            className: "number",
            cell: ({ id }) => formatPercent(meanOf(shares, id), 1),
          },
        ]}
      />
      <p className="quiet">
        {texts.shareIsAStages(
          pathMeanName(means, names),
          durationText(pathMean(means)),
          isTotalKnown(means),
          whole.standstill === null ? "" : ` ${standstillSentence(whole.standstill, texts.thisMean)}`,
        )}
      </p>
    </Section>
  );
}

const meanOf = (means: Means, id: StageId): number | null | undefined => means[id];

const durationColumn = <Row,>(
  id: string,
  of: (row: Row) => number | null | undefined,
): FigureColumn<Row> => ({ id, className: "number", cell: (row) => durationText(of(row)) });

function Classes({ data }: { readonly data: ReportData }): ReactNode {
  const { summary } = data;
  const rows = summary.replicas.map(({ name }, i) => ({ name, classes: summary.flushClasses[i] }));
  return (
    <Section id="classes" title={texts.logWritesByClass} note={texts.numberOfWrites}>
      <FigureTable<(typeof rows)[number]>
        rows={rows}
        columns={[
          { id: "Replica", cell: ({ name }) => name },
          ...FLUSH_CLASSES.map(({ key, label }) => ({
            id: label,
            className: "number",
            cell: ({ classes }: (typeof rows)[number]) => formatCount(classes?.[key]),
            cellProps: ({ classes }: (typeof rows)[number]) => ({
              "data-bad": key === "bad" && (classes?.bad ?? 0) > 0,
            }),
          })),
        ]}
      />
    </Section>
  );
}

function Averages({ data }: { readonly data: ReportData }): ReactNode {
  return (
    <Section
      id="averages"
      title={texts.asSsmsReportsThem}
      note={texts.averagesOfThe(completeText(data.summary, data.choice))}
    >
      <table>
        <tbody>
          {ssmsAverages(data.summary, data.choice.secondary).map(({ name, covers, mean }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td className="quiet">{covers}</td>
              <td className="number">{durationText(mean)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  );
}

/** How well the clocks are aligned, and the events that these files contain and do not contain. */
export function CompletenessPart({ data }: { readonly data: ReportData }): ReactNode {
  const { summary } = data;
  return (
    <div className="two">
      <Section id="clock" title={texts.clock}>
        {summary.clocks.map((clock) => (
          <p key={clock.secondary}>{clockSentence(data, clock)}</p>
        ))}
        {summary.clocks.length === 0 ? <p>{texts.thereIsOneClock}</p> : null}
      </Section>
      <Section id="completeness" title={texts.completeness}>
        <ul>
          {completeness(data).map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
          {summary.warnings.map((warning) => (
            <li key={warning}>{warning}</li>
          ))}
        </ul>
      </Section>
    </div>
  );
}

function clockSentence({ summary }: ReportData, clock: ReportData["summary"]["clocks"][number]): string {
  const { secondary, against, status, reason, strictUncertaintyUs, minNetworkRoundTripUs, blocksUsed } =
    clock;
  const name = summary.replicas[secondary + 1]?.name ?? texts.secondaryPart;
  const other = summary.replicas[against]?.name ?? texts.primary;
  if (status !== "aligned") return texts.clockCannotBeAligned(name, other, reason);
  const ahead = aheadText(clock, `${other}'s`);
  const offset = ahead === null ? "" : texts.wasAnd(ahead);
  return texts.sClockIsAligned({
    name,
    offset,
    strictUncertaintyUs: formatUncertainty(strictUncertaintyUs),
    blocksUsed: formatCount(blocksUsed),
    minNetworkRoundTripUs: durationText(minNetworkRoundTripUs),
  });
}

function completeness({ summary, choice, ofNoBlock }: ReportData): string[] {
  const { replicas, blocks, commits, files } = summary;
  const scope = scopeText(summary, choice);
  // Commits cover the scope; files and joins are counted for the complete capture.
  const of = scope === null ? "" : texts.wholeCapture;
  const events = replicas.map(({ name, events: n, hasCapture }) =>
    hasCapture ? texts.events(name, formatCount(n)) : texts.noFile(name),
  );
  const gaps = files.flatMap((file) => file.gaps);
  const outside = replicas.flatMap(({ name }, i) =>
    (ofNoBlock[i] ?? 0) > 0 ? [`${name} ${formatCount(ofNoBlock[i])}`] : [],
  );
  const oneSided = uncoveredPeriods(summary).map(([from, to, replica]) =>
    texts.filesHaveNoEvents(
      replicas[replica]?.name ?? texts.replica,
      formatRange(summary, from, to),
      durationText(to - from),
    ),
  );
  return [
    `${of}${events.join(", ")}, in ${texts.file(files.length)}.`,
    texts.ofLogBlocksJoined(
      of,
      formatCount(blocks.onBoth),
      formatCount(joinableBlocks(summary)),
      formatCount(blocks.completeEndToEnd),
    ),
    ...(scope === null
      ? [
          commits.count === 0
            ? texts.noCommitIsKnown
            : texts.commitsBlocks(formatCount(commits.count), formatCount(blocks.withCommit)),
        ]
      : [
          texts.blocksWithACommit(of, formatCount(blocks.withCommit)),
          `${scope}: ${commitsText(summary, commits.count)}.`,
        ]),
    ...(outside.length === 0 ? [] : [texts.eventsOfNoLog(outside.join(", "))]),
    ...oneSided,
    gaps.length === 0
      ? texts.noPart
      : texts.damagedPartsWereSkipped(
          formatCount(gaps.length),
          gaps.map(({ message }) => message).join("; "),
        ),
  ];
}

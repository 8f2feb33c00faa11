import type { ReactNode } from "react";
import type { Statistics } from "@aglens/contract";
import { type StageId, STAGES, stageName } from "@aglens/ag-model/replication";
import { stageToken } from "../../../lanes/palette.ts";
import { type FigureColumn, FigureTable } from "../../../ui/figure-table.tsx";
import {
  durationText,
  formatCount,
  formatPercent,
  formatUncertainty,
  formatRange,
} from "../../../ui/words.ts";
import { aheadWords } from "../../capture-view/names.ts";
import {
  backedPercentiles,
  commitsWords,
  FLUSH_CLASSES,
  LEAST_P95,
  LEAST_P99,
  mainEpisode,
} from "../../capture-view/figures.ts";
import { scopeWords, wholeWords } from "../../capture-view/databases.ts";
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
      title="Stages"
      note={`towards ${names.secondary}; p95 from ${LEAST_P95} values, p99 from ${LEAST_P99}; percentiles are interpolated between ranks`}
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
        {pathMeanName(means, names)} {durationText(pathMean(means))}
        {isTotalKnown(means)
          ? "; a share is a stage's mean of it, over blocks of which every stage is known."
          : "; of remote harden, which is not known, there are no shares."}
        {whole.standstill === null ? "" : ` ${standstillSentence(whole.standstill, "this mean")}`}
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
    <Section id="classes" title="Log writes by class" note="number of writes">
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
      title="As SSMS reports them"
      note={`averages of the ${wholeWords(data.summary, data.choice)}`}
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
      <Section id="clock" title="Clock">
        {summary.clocks.map((clock) => (
          <p key={clock.secondary}>{clockSentence(data, clock)}</p>
        ))}
        {summary.clocks.length === 0 ? <p>There is one clock: no secondary was given.</p> : null}
      </Section>
      <Section id="completeness" title="Completeness">
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
  const name = summary.replicas[secondary + 1]?.name ?? "the secondary";
  const other = summary.replicas[against]?.name ?? "the primary";
  if (status !== "aligned") return `${name}'s clock cannot be aligned with ${other}'s: ${reason}`;
  const ahead = aheadWords(clock, `${other}'s`);
  const offset = ahead === null ? "" : ` was ${ahead} and`;
  return `${name}'s clock${offset} is aligned to ${formatUncertainty(strictUncertaintyUs)} over ${formatCount(blocksUsed)} blocks; the least round trip was ${durationText(minNetworkRoundTripUs)}. Round trips, log writes and every sum are exact; only the split into out and back carries the ±.`;
}

function completeness({ summary, choice, ofNoBlock }: ReportData): string[] {
  const { replicas, blocks, commits, files } = summary;
  const scope = scopeWords(summary, choice);
  // Commits cover the scope; files and joins are counted for the complete capture.
  const of = scope === null ? "" : "Whole capture: ";
  const events = replicas.map(({ name, events: n, hasCapture }) =>
    hasCapture ? `${name} ${formatCount(n)} events` : `${name} no file`,
  );
  const gaps = files.flatMap((file) => file.gaps);
  const outside = replicas.flatMap(({ name }, i) =>
    (ofNoBlock[i] ?? 0) > 0 ? [`${name} ${formatCount(ofNoBlock[i])}`] : [],
  );
  const oneSided = uncoveredPeriods(summary).map(
    ([from, to, replica]) =>
      `The files have no events of ${replicas[replica]?.name ?? "a replica"} from ${formatRange(summary, from, to)}, ${durationText(to - from)}: nothing is known of it there.`,
  );
  return [
    `${of}${events.join(", ")}, in ${formatCount(files.length)} ${files.length === 1 ? "file" : "files"}.`,
    `${of}${formatCount(blocks.onBoth)} of ${formatCount(joinableBlocks(summary))} log blocks joined on both sides, ${formatCount(blocks.completeEndToEnd)} complete from end to end.`,
    ...(scope === null
      ? [
          commits.count === 0
            ? "No commit is known."
            : `${formatCount(commits.count)} commits, ${formatCount(blocks.withCommit)} blocks with a commit.`,
        ]
      : [
          `${of}${formatCount(blocks.withCommit)} blocks with a commit.`,
          `${scope}: ${commitsWords(summary, commits.count)}.`,
        ]),
    ...(outside.length === 0 ? [] : [`Events of no log block, in no figure: ${outside.join(", ")}.`]),
    ...oneSided,
    gaps.length === 0
      ? "No part of a file was skipped as damaged."
      : `${formatCount(gaps.length)} damaged parts were skipped: ${gaps.map(({ message }) => message).join("; ")}`,
  ];
}

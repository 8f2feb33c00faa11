import type { ReactNode } from "react";
import type { Overview, RangeStatistics, Summary } from "@aglens/contract";
import { fullBins } from "@aglens/contract";
import type { CaptureSource, TimeRange } from "../../data/capture-source.ts";
import { type Question, useAnswer, WHEN_DRAGGED } from "../../data/use-answer.ts";
import { Problem } from "../../frame/problem.tsx";
import { overviewTexts as texts } from "../../messages/overview.ts";
import { Card, Swatch } from "../../ui/controls.tsx";
import { FigureTable } from "../../ui/figure-table.tsx";
import { type Figure, formatCount, formatDuration, formatSize } from "../../ui/words.ts";
import { useCapture } from "../capture-view/capture-context.ts";
import { databaseName } from "../capture-view/databases.ts";
import { backedPercentiles, knownCommits, ratePerSecond } from "../capture-view/figures.ts";
import { MeanBars, pathBar } from "../capture-view/mean-bars.tsx";
import { phaseIndex } from "../capture-view/phases.ts";
import { percentileColumns } from "../capture-view/statistics-columns.tsx";
import { meansOf, namesOfMeans, pathMeanName } from "../capture-view/stage-means.ts";
import { useOverview } from "./overview-context.ts";
import { MiddleEllipsis } from "../../ui/middle-ellipsis.tsx";
import failover from "./failover.module.css";
import { Term } from "../../ui/term.tsx";
import type { TermId } from "../../messages/terms.ts";

/** Figures in view of one database, or of all. */
interface Column {
  readonly name: string;
  readonly statistics: RangeStatistics;
  /** Bytes of its log blocks per second. */
  readonly bytesPerSecond: number;
}

/** Databases side by side on one scale, with all of them together: percentiles are of the union, rates add up. */
export function DatabaseFigures(): ReactNode {
  const { source, summary, view } = useCapture();
  const { names, scale, databases } = useOverview();
  const phase = phaseIndex(summary, view.phase);
  const scopes = [...databases, null].map((database) => source.scoped({ database, phase }));
  const { value, error, retry } = useAnswer(figuresOf(scopes, scale, view.secondary), WHEN_DRAGGED);
  const problem = <Problem sentence={error} onRetry={retry} />;
  if (value === null || value.length !== scopes.length)
    return (
      <Card title={pathMeanName(meansOf(summary.stages[view.secondary]), names)} aria-busy={error === null}>
        {problem}
      </Card>
    );
  const all = databases.length === 2 ? "Both" : "All";
  const columns = value.map((figures, i) => {
    const database = databases[i];
    return { ...figures, name: database === undefined ? all : (databaseName(summary, database) ?? "") };
  });
  const { title, less } = namesOfMeans(
    columns.map(({ name, statistics }) => ({
      name,
      means: meansOf(statistics.stages[view.secondary]),
      secondary: names.secondary,
    })),
  );
  return (
    <>
      <Card title={title} aside={texts.toSameScale(names.secondary)}>
        {problem}
        <MeanBars
          names="before"
          bars={columns.map(({ name, statistics }) => pathBar(name, statistics, view.secondary))}
        />
        {less === null ? null : <p className={failover.note}>{less}</p>}
      </Card>
      <Card title={texts.byDatabase}>
        <DatabaseTable columns={columns} />
      </Card>
      <LogWriters columns={columns.slice(0, -1)} />
    </>
  );
}

/** One request for all of them: they are shown together or not at all. */
function figuresOf(
  scopes: readonly CaptureSource[],
  range: TimeRange,
  secondary: number,
): Question<Omit<Column, "name">[]> {
  const aligned = fullBins(range);
  const questions = scopes.map((scope) => ({
    statistics: scope.statistics(range),
    overview: scope.overview(aligned.range, aligned.bins, secondary),
  }));
  return {
    key: questions.map(({ statistics, overview }) => `${statistics.key} ${overview.key}`).join(" "),
    ask: (signal) =>
      Promise.all(
        questions.map(async ({ statistics, overview }) => {
          const [figures, bins] = await Promise.all([statistics.ask(signal), overview.ask(signal)]);
          return { statistics: figures, bytesPerSecond: bytesPerSecond(bins) };
        }),
      ),
  };
}

const bytesPerSecond = ({ bytes, binUs }: Overview): number =>
  bytes.reduce((sum, each) => sum + each, 0) / ((bytes.length * binUs) / 1e6);

interface Props {
  readonly columns: readonly Column[];
}

const countFigure = (n: number | null): Figure => ({ value: formatCount(n), unit: "" });

const ROWS: readonly {
  readonly label: string;
  readonly term?: TermId;
  readonly of: (column: Column, summary: Summary) => Figure;
}[] = [
  {
    label: texts.commitsLabel,
    of: ({ statistics }, summary) => countFigure(knownCommits(summary, statistics.commits)),
  },
  {
    label: texts.logBlocksPerSecond,
    of: ({ statistics: { blocks, from, to } }) => ({
      value: ratePerSecond(blocks, to - from) ?? "\u2013",
      unit: "",
    }),
  },
  { label: texts.bytesPerSecond, of: (column) => formatSize(column.bytesPerSecond) },
  ...(["p50", "p95", "p99", "max"] as const).map((name) => ({
    label: texts.commitLabel(name),
    term: name,
    of: ({ statistics }: Column) => formatDuration(backedPercentiles(statistics.commitLatency)[name]),
  })),
  {
    label: texts.releasedByLocalWrite,
    term: "releasedBy",
    of: ({ statistics }, summary) => countFigure(knownCommits(summary, statistics.gates[0] ?? 0)),
  },
];

function DatabaseTable({ columns }: Props): ReactNode {
  const { summary } = useCapture();
  return (
    <FigureTable<(typeof ROWS)[number]>
      data-names="cut"
      rows={ROWS}
      rowKey={({ label }) => label}
      columns={[
        {
          id: "Figure",
          isHeadHidden: true,
          cell: ({ label, term }) => (term === undefined ? label : <Term id={term}>{label}</Term>),
        },
        ...columns.map((column) => ({
          id: column.name,
          head: <MiddleEllipsis text={column.name} className={failover.database} />,
          cell: ({ of }: (typeof ROWS)[number]) => of(column, summary),
        })),
      ]}
    />
  );
}

/** Log writes per server and database: each database has a log writer of its own on each server. */
function LogWriters({ columns }: Props): ReactNode {
  const { view } = useCapture();
  const { names } = useOverview();
  const writers = columns.flatMap(({ name, statistics }) => {
    const stages = statistics.stages[view.secondary];
    return [
      { server: names.primary, token: "--p-disk", figures: stages?.localFlush },
      { server: names.secondary, token: "--s-disk", figures: stages?.secondaryFlush },
    ].map((writer) => ({ ...writer, database: name, name: `${writer.server}, ${name}` }));
  });
  return (
    <Card title={texts.logWriters}>
      <FigureTable<(typeof writers)[number]>
        data-names="cut"
        rows={writers}
        rowKey={({ name }) => name}
        columns={[
          {
            id: "Server and database",
            cell: ({ server, database, token }) => (
              <span className="row gap-4">
                <Swatch color={`var(${token})`} />
                <MiddleEllipsis text={`${server}, `} />
                <MiddleEllipsis text={database} />
              </span>
            ),
            cellProps: ({ name }) => ({ title: name }),
          },
          { id: "Writes", cell: ({ figures }) => formatCount(figures?.n) },
          ...percentileColumns<(typeof writers)[number]>(["p50", "p95"], ({ figures }) => figures ?? null),
        ]}
      />
    </Card>
  );
}

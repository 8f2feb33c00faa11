/** The tools of `aglens mcp`: names, descriptions and shapes. Their work is loaded with the first call. */
import { z } from "zod";
import type { Answer } from "./bounded.ts";
import type { CaptureAnswers } from "./capture-answers.ts";
import {
  Analyzed,
  AnalyzeAsked,
  BlockAsked,
  BlockShown,
  ComparisonAsked,
  ComparisonShown,
  FiguresShown,
  HelpAsked,
  HelpShown,
  ListAsked,
  RangeAsked,
  SlowBlocksAsked,
  SlowBlocksShown,
  SlowCommitsAsked,
  SlowCommitsShown,
  SqlAsked,
  SqlShown,
  VerdictShown,
  WhatIfAsked,
  WhatIfShown,
} from "./shapes.ts";

/** The parts that calls use, each loaded when it is needed. */
export interface Work {
  readonly captures: () => Promise<CaptureAnswers>;
  readonly help: (asked: HelpAsked) => Promise<Answer>;
}

export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: z.ZodObject;
  readonly output: z.ZodObject;
  /** @param signal the client doesn't want the answer any more */
  readonly run: (given: unknown, work: Work, signal: AbortSignal) => Promise<Answer>;
}

/** A tool about captures. */
const about = <Input extends z.ZodObject>(
  head: Pick<Tool, "name" | "title" | "description" | "output"> & { readonly input: Input },
  answerOf: (
    captures: CaptureAnswers,
    asked: z.infer<Input>,
    signal: AbortSignal,
  ) => Answer | Promise<Answer>,
): Tool => ({
  ...head,
  run: async (given, work, signal) => answerOf(await work.captures(), head.input.parse(given), signal),
});

export const TOOLS: readonly Tool[] = [
  about(
    {
      name: "analyze_files",
      title: "Analyze files",
      description:
        "Reads files of a SQL Server Always On availability group on this computer: Extended Events files (.xel), support folders, zips of them, or saved captures (.aglens). Groups them into captures and answers the id and the verdict of each. Call it first.",
      input: AnalyzeAsked,
      output: Analyzed,
    },
    (captures, asked, signal) => captures.analyzeFiles(asked, signal),
  ),
  about(
    {
      name: "verdict",
      title: "Verdict",
      description:
        "Where commits of a capture wait: the sentence, its figures, every finding with its evidence and limit, and what to check next. Causes of failovers, if the files show any.",
      input: ListAsked,
      output: VerdictShown,
    },
    (captures, asked) => captures.verdict(asked),
  ),
  about(
    {
      name: "figures",
      title: "Figures of stages",
      description:
        "Percentiles and number of values for each stage of a log block's path, by secondary replica, and for commits; of the capture, a range of time, or a database.",
      input: RangeAsked,
      output: FiguresShown,
    },
    (captures, asked) => captures.figures(asked),
  ),
  about(
    {
      name: "slowest_blocks",
      title: "Slowest log blocks",
      description: "Log blocks in order of a stage or of their longest commit, with all their stages.",
      input: SlowBlocksAsked,
      output: SlowBlocksShown,
    },
    (captures, asked) => captures.slowestBlocks(asked),
  ),
  about(
    {
      name: "slowest_commits",
      title: "Slowest commits",
      description:
        "Commits in order of their wait, each with the event that released it and the stages of its path.",
      input: SlowCommitsAsked,
      output: SlowCommitsShown,
    },
    (captures, asked) => captures.slowestCommits(asked),
  ),
  about(
    {
      name: "log_block",
      title: "One log block",
      description:
        "The path of one log block from commit to commit, stage by stage, with the source events: file and byte offset of each.",
      input: BlockAsked,
      output: BlockShown,
    },
    (captures, asked) => captures.logBlock(asked),
  ),
  about(
    {
      name: "what_if",
      title: "What if",
      description:
        "Predicted commit latency with one change, such as a faster disk or an asynchronous replica. The load stays as recorded.",
      input: WhatIfAsked,
      output: WhatIfShown,
    },
    (captures, asked) => captures.whatIf(asked),
  ),
  about(
    {
      name: "compare",
      title: "Compare",
      description:
        "Two captures, or two ranges of time, stage by stage: the change of a percentile with its 95 % confidence interval.",
      input: ComparisonAsked,
      output: ComparisonShown,
    },
    (captures, asked) => captures.compare(asked),
  ),
  about(
    {
      name: "query_sql",
      title: "SQL query",
      description:
        "Runs one query that only reads, in DuckDB's SQL, over the tables blocks, hops, commits, stages, histograms, clocks, findings, evidence_events and evidence_samples. Each row has its capture. DESCRIBE blocks lists columns; help with a table's name explains them.",
      input: SqlAsked,
      output: SqlShown,
    },
    (captures, asked, signal) => captures.querySql(asked, signal),
  ),
  {
    name: "help",
    title: "Guide and glossary",
    description:
      "Searches the guide, the glossary and the description of tables: what a stage, a finding or a word means, how to record events, what to check next.",
    input: HelpAsked,
    output: HelpShown,
    run: (given, work) => work.help(HelpAsked.parse(given)),
  },
];

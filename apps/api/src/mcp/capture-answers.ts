/** Answers of the tools about captures, from the questions of the API. Loaded with the first call: it is the analysis. */
import {
  compareSides,
  type Distribution,
  type PercentileSpread,
  type RangeStatistics,
  type Sequence,
  type SlowBlocks,
  type SlowCommits,
  type WhatIf,
} from "@aglens/contract";
import { answer, type OpenSource, type Question } from "@aglens/engine/answers";
import { commitStatistics } from "@aglens/ag-model/columns";
import { findLsn } from "@aglens/ag-model/query";
import {
  Gate,
  microsecondsToTicks,
  replicaOfHop,
  replicaOfSlot,
  stageDefinition,
  STAGE_IDS,
  ticksToMicroseconds,
  type CaptureModel,
  type Phase,
} from "@aglens/ag-model/replication";
import { utcText } from "@aglens/ag-model/tables";
import { filetimeOfUnixMs, filetimeText } from "xel-parser/format";
import { openAt } from "../captures/kept/random-access.ts";
import type { SqlProcesses } from "../sql/sql-processes.ts";
import type { AllowedPaths } from "./allowed-paths.ts";
import { bounded, type Answer } from "./bounded.ts";
import { OpenCaptures, type OpenCapture } from "./open-captures.ts";
import type {
  BlockAsked,
  ComparisonAsked,
  ListAsked,
  RangeAsked,
  SlowBlocksAsked,
  SlowCommitsAsked,
  SqlAsked,
  Time,
} from "./shapes.ts";
import { ToolError } from "./tool-error.ts";

export interface AnswerParts {
  readonly allowed: AllowedPaths;
  readonly sql: SqlProcesses;
  /** Temporary folder, which `sql` works in. */
  readonly folder: string;
}

export class CaptureAnswers {
  readonly #parts: AnswerParts;
  readonly #captures: OpenCaptures;

  constructor(parts: AnswerParts) {
    this.#parts = parts;
    this.#captures = new OpenCaptures(parts.folder);
  }

  async analyzeFiles({ paths }: { readonly paths: readonly string[] }, signal: AbortSignal): Promise<Answer> {
    const files = await this.#parts.allowed.filesOf(paths);
    if (files.paths.length === 0) throw new ToolError(files.refused.join("\n"));
    const { captures, notRead } = await this.#captures.analyze(files.paths, signal);
    return bounded({
      captures: captures.map(overview),
      notRead: [...files.refused, ...notRead],
    });
  }

  verdict({ capture }: ListAsked): Answer {
    const open = this.#captures.find(capture);
    const { model, verdict, warnings, evidence } = open;
    const { sentence, severity, place, checkNext, measured = [] } = verdict;
    return bounded({
      capture: open.id,
      sentence,
      severity,
      place,
      figures: verdict.evidence.map(({ before, value, after }) => [before, value, after].join(" ").trim()),
      checkNext,
      findings: verdict.findings.map((finding) => ({
        rule: finding.rule,
        cause: finding.cause,
        severity: finding.severity,
        server: nameOf(model, finding.replica),
        database: finding.database === null ? null : (model.databases[finding.database]?.name ?? null),
        sentence: finding.sentence,
        share: finding.share,
        stage: finding.stage,
        fromUs: finding.window?.from ?? null,
        toUs: finding.window?.to ?? null,
        threshold: finding.threshold,
        source: finding.source,
        checkNext: finding.checkNext,
      })),
      measured,
      failovers: (evidence?.failovers ?? []).map(({ text }) => text),
      warnings: [...warnings, ...model.warnings],
    });
  }

  async figures(asked: RangeAsked): Promise<Answer> {
    const open = this.#captures.find(asked.capture);
    const { model } = open;
    const scope = scopeOf(model, asked);
    const found = await ask<RangeStatistics>(model, { ask: "statistics", ...scope });
    const { blocks, commits, commitLatency, gates, stages } = found;
    const phases = phasesIn(model, found, scope.database);
    const answer = {
      capture: open.id,
      fromUs: found.from,
      toUs: found.to,
      blocks,
      commits,
      commitLatency: figuresOf(commitLatency),
      releasedBy: gates.map((count, slot) => ({
        by: slot === 0 ? LOCAL_WRITE : secondaryName(model, slot - 1, phases),
        commits: count,
      })),
      stages: stages.flatMap((ofSlot, slot) =>
        STAGE_IDS.flatMap((stage) => {
          const statistics = ofSlot[stage];
          if (statistics === undefined || statistics.n === 0) return [];
          const { label, onRemotePath } = stageDefinition(stage);
          return [
            {
              replica: secondaryName(model, slot, phases),
              stage,
              name: label,
              onRemotePath,
              ...figuresOf(statistics),
            },
          ];
        }),
      ),
    };
    return bounded(answer, null, ofEachPrimary(model, phases));
  }

  async slowestBlocks(asked: SlowBlocksAsked): Promise<Answer> {
    const open = this.#captures.find(asked.capture);
    const { model } = open;
    const { limit, offset, order } = asked;
    const secondary = secondaryOf(model, asked.replica);
    const { total, rows } = await ask<SlowBlocks>(model, {
      ask: "slowest",
      sort: order,
      descending: true,
      secondary,
      limit,
      offset,
      ...scopeOf(model, asked),
    });
    return bounded(
      {
        capture: open.id,
        replica: secondaryName(model, secondary),
        total,
        rows: rows.map(({ row, lsn, database, time, commits, gate, largest, stages }) => ({
          row,
          lsn,
          database: model.databases[database]?.name ?? null,
          atUs: time,
          utc: utcOf(model, time),
          commits,
          releasedBy: releaseName(model, row, gate),
          largestStage: largest,
          stagesUs: stages,
        })),
      },
      { of: "rows", offset, total, next: askFrom },
    );
  }

  async slowestCommits(asked: SlowCommitsAsked): Promise<Answer> {
    const open = this.#captures.find(asked.capture);
    const { model } = open;
    const { limit, offset, order } = asked;
    const { total, waitedUs, half, rows } = await ask<SlowCommits>(model, {
      ask: "slowCommits",
      order,
      secondary: secondaryOf(model, asked.replica),
      limit,
      offset,
      ...scopeOf(model, asked),
    });
    return bounded(
      {
        capture: open.id,
        total,
        waitedUs,
        commitsOfHalfTheWait: half,
        rows: rows.map((commit) => ({
          block: commit.block,
          lsn: commit.lsn,
          database: model.databases[commit.database]?.name ?? null,
          atUs: commit.start,
          utc: utcOf(model, commit.start),
          waitedUs: commit.waited,
          queuedUs: commit.queued,
          wokenAfterUs: commit.wokenAfter,
          releasedBy: commit.block === null ? null : releaseName(model, commit.block, commit.gate),
          otherSideEarlierByUs: commit.otherEarlierBy,
          largestStage: commit.largest,
          stagesUs: commit.paths[commit.secondary]?.stages ?? {},
          commitsOfBlock: commit.commitsOfBlock,
        })),
      },
      { of: "rows", offset, total, next: askFrom },
    );
  }

  async logBlock(asked: BlockAsked): Promise<Answer> {
    const open = this.#captures.find(asked.capture);
    const { model } = open;
    const row = rowOf(model, asked);
    // Files in a zip are deleted after the analysis, and others may have been since.
    const found = await ask<Sequence>(model, { ask: "sequence", row }, this.#sourcesOf(open)).catch(() =>
      ask<Sequence>(model, { ask: "sequence", row }),
    );
    return bounded({
      capture: open.id,
      row,
      lsn: found.lsn,
      logBlockId: found.blockId,
      database: model.databases[found.database]?.name ?? null,
      atUs: found.time,
      utc: utcOf(model, found.time),
      sizeBytes: found.size,
      releasedBy: releaseName(model, row, found.gate),
      commits: found.commits.map(({ start, end, queued, wokenAfter }) => ({
        startUs: start,
        endUs: end,
        latencyUs: end - start,
        queuedUs: queued,
        wokenAfterUs: wokenAfter,
      })),
      paths: found.hops.flatMap(({ secondary, stages }) =>
        stages
          .filter(({ duration }) => duration !== null)
          .map(({ id, from, to, duration, typical, rank, obtained, uncertaintyUs }) => ({
            replica: nameOf(model, replicaOfHop(model, row, secondary)),
            stage: id,
            fromUs: from,
            toUs: to,
            durationUs: duration,
            usualUs: typical,
            rankPercent: rank,
            obtained,
            uncertaintyUs,
          })),
      ),
      events: found.events.map(({ replica, name, mode, begin, fire, timestamp, file, offset }) => ({
        server: nameOf(model, replica),
        event: name,
        mode,
        beginUs: begin,
        fireUs: fire,
        utc: timestamp,
        file,
        offset,
      })),
      eventsMissing: found.events.length > 0 ? null : NO_EVENTS,
    });
  }

  /** Event files that were read at their own paths, and may still be read. */
  #sourcesOf({ isOfFiles, model }: OpenCapture): OpenSource {
    const openFile = openAt(Object.fromEntries(model.files.map(({ name }) => [name, name])));
    return async (name) => (isOfFiles && (await this.#parts.allowed.isAllowed(name)) ? openFile(name) : null);
  }

  async whatIf({ capture, change }: ListAsked & { readonly change?: string | undefined }): Promise<Answer> {
    const open = this.#captures.find(capture);
    const { model } = open;
    const { of, changes, chosen } = await ask<WhatIf>(model, {
      ask: "whatIf",
      change,
      list: change === undefined,
    });
    const inShort = ({ change, name, detail, p95, between, canTell }: WhatIf["changes"][number]) => ({
      change,
      name,
      now: detail,
      canDetermine: canTell,
      p95Us: canTell ? p95 : null,
      p95FromUs: canTell ? between[0] : null,
      p95ToUs: canTell ? between[1] : null,
    });
    return bounded({
      capture: open.id,
      commits: of,
      changes: chosen !== null && change !== undefined ? [inShort(chosen)] : changes.map(inShort),
      chosen:
        chosen === null
          ? null
          : {
              change: chosen.change,
              commitsReplayed: chosen.commits,
              measured: figuresOf(chosen.measured),
              predicted: figuresOf(chosen.canTell ? chosen.predicted : NO_FIGURES),
              replayError: chosen.ownError,
              mostBytesBehind: chosen.behind?.mostBytes ?? null,
            },
    });
  }

  async compare(asked: ComparisonAsked): Promise<Answer> {
    const { percentile } = asked;
    const sideOf = async (id: string, from?: Time, to?: Time) => {
      const { model, verdict } = this.#captures.find(id);
      const secondary = secondaryOf(model, asked.replica);
      const range = { ...rangeOf(model, from, to), secondary };
      const distribution = await ask<Distribution>(model, {
        ask: "distribution",
        scale: "log",
        stage: "commit",
        ...range,
      });
      const spread = await ask<PercentileSpread>(model, { ask: "spread", ...range });
      const { from: fromUs, to: toUs } = distribution;
      return {
        side: { distribution, spread },
        shown: {
          capture: id,
          replica: secondaryName(model, secondary, phasesIn(model, distribution)),
          fromUs,
          toUs,
          verdict: verdict.sentence,
        },
      };
    };
    const a = await sideOf(asked.a, asked.aFrom, asked.aTo);
    const b = await sideOf(asked.b, asked.bFrom, asked.bTo);
    return bounded({
      a: a.shown,
      b: b.shown,
      percentile,
      stages: compareSides(a.side, b.side, percentile).stages.map((stage) => ({
        stage: stage.stage,
        aUs: stage.a,
        bUs: stage.b,
        aCount: stage.ranges[0].n,
        bCount: stage.ranges[1].n,
        changePercent: asPercent(stage.change),
        changeFromPercent: asPercent(stage.between?.[0]),
        changeToPercent: asPercent(stage.between?.[1]),
        result: stage.verdict,
      })),
    });
  }

  async querySql({ sql, capture, limit }: SqlAsked, signal: AbortSignal): Promise<Answer> {
    const { sql: processes } = this.#parts;
    processes.expectThere();
    const tables = await this.#captures.tables(capture, sql);
    const result = await processes.rows(
      { sql, tables },
      { whose: "assistant", signal, limits: { rows: limit } },
    );
    const { columns, rows, stopped, ms } = result;
    const shown = {
      columns: columns.map(({ name, type, unit }) => ({ name, type, unit })),
      rows: Array.from({ length: rows }, (_, row) =>
        columns.map(({ kind, values }) => {
          const value = values[row] ?? null;
          return kind === "time" && typeof value === "number" && !Number.isNaN(value)
            ? utcText(BigInt(value))
            : value;
        }),
      ),
      stopped,
      milliseconds: ms,
    };
    const page = {
      of: "rows",
      offset: 0,
      total: stopped === null ? rows : null,
      next: (offset: number) =>
        stopped === null || stopped === "rows"
          ? `${stopped === null ? "" : `The first ${offset} rows are shown. `}For more, add ORDER BY and OFFSET ${offset} to the query, or aggregate.`
          : `The first ${offset} rows are shown: the query reached its limit of ${stopped}. Query less, such as one capture or a range of utc.`,
    };
    const { ids } = this.#captures;
    // The same files may be open twice, and would count twice.
    const isOfAll = capture === undefined && ids.length > 1 && result.read.length > 0;
    const combined = isOfAll && !/\bcapture\b/iu.test(sql);
    return bounded(shown, page, combined ? [ofAllCaptures(ids)] : []);
  }
}

/** Questions are answered as the API answers them. @throws ToolError for a question that doesn't fit the capture */
async function ask<Result>(
  model: CaptureModel,
  question: Question,
  open: OpenSource = () => Promise.resolve(null),
): Promise<Result> {
  const { bytes } = await answer(model, question, open);
  return JSON.parse(Buffer.from(bytes).toString()) as Result;
}

function overview(open: OpenCapture): Answer {
  const { id, name, model, verdict, warnings } = open;
  const latency = commitStatistics(model);
  return {
    capture: id,
    name,
    verdict: verdict.sentence,
    severity: verdict.severity,
    fromUtc: filetimeText(model.origin),
    durationUs: model.duration,
    servers: model.replicas.map((replica) => ({
      name: replica.name,
      role: replica.role,
      hasFiles: replica.hasCapture,
      events: replica.events,
    })),
    databases: model.databases.map((database) => database.name),
    blocks: model.blocks.length,
    commits: model.commits.length,
    commitP50Us: latency.p50,
    commitP95Us: latency.p95,
    warnings: [...warnings, ...model.warnings],
  };
}

const NO_EVENTS =
  "Can't list the events: the event files can't be read again. Call analyze_files with the files themselves, outside of a zip.";
const LOCAL_WRITE = "local log write";

const ofAllCaptures = (ids: readonly string[]): string =>
  `Figures of each capture: these rows are of all open ones, ${ids.join(", ")}. Choose one with the argument capture.`;

/** Periods with one primary replica that are in a range of time, and have the database. */
const phasesIn = (
  { phases }: CaptureModel,
  { from, to }: { readonly from: number; readonly to: number },
  database?: number,
): Phase[] =>
  phases.filter(
    (phase) =>
      phase.from <= to && phase.to >= from && (database === undefined || phase.databases.includes(database)),
  );

/** Names of the replicas that a slot leads to: several after a role change, in their order. */
function namesOfSlot({ phases, replicas }: CaptureModel, slot: number, inRange = phases): string[] {
  const primaries = inRange.length === 0 ? [0] : inRange.map(({ primary }) => primary);
  return [...new Set(primaries.map((primary) => replicas[replicaOfSlot(primary, slot)]?.name ?? ""))];
}

const secondaryName = (model: CaptureModel, slot: number, inRange?: readonly Phase[]): string =>
  namesOfSlot(model, slot, inRange).join(" or ");

const MOST_PERIODS = 8;

/** How to ask for the figures of each primary replica, where those of several are combined. */
function ofEachPrimary({ replicas }: CaptureModel, phases: readonly Phase[]): string[] {
  if (new Set(phases.map(({ primary }) => primary)).size < 2) return [];
  const periods = phases
    .slice(0, MOST_PERIODS)
    .map(
      ({ primary, from, to }) =>
        `${replicas[primary]?.name ?? ""} from ${Math.floor(from)} to ${Math.ceil(to)} µs`,
    );
  return [
    `Figures of each primary replica: ${periods.join(", ")}. They are combined here. Ask with from and to, or with a database.`,
  ];
}

const nameOf = ({ replicas }: CaptureModel, replica: number | null): string | null =>
  replica === null ? null : (replicas[replica]?.name ?? null);

function releaseName(model: CaptureModel, block: number, gate: number): string {
  if (gate === Gate.unknown) return "unknown";
  if (gate === Gate.localFlush) return LOCAL_WRITE;
  return nameOf(model, replicaOfHop(model, block, Gate.secondaryOf(gate))) ?? "unknown";
}

/** Slot of a secondary by its name; without a name the first. */
function secondaryOf(model: CaptureModel, name: string | undefined): number {
  if (name === undefined) return 0;
  const slots = model.replicas.slice(1).map((_, slot) => slot);
  const found = slots.find((slot) =>
    [secondaryName(model, slot), ...namesOfSlot(model, slot)].some((each) => isSame(each, name)),
  );
  if (found !== undefined) return found;
  const names = slots.map((slot) => secondaryName(model, slot));
  throw new ToolError(
    `The capture has no secondary replica ${name}. Its secondary replicas: ${names.join(", ")}.`,
  );
}

function scopeOf(model: CaptureModel, { from, to, database }: Pick<RangeAsked, "from" | "to" | "database">) {
  return { ...rangeOf(model, from, to), database: databaseOf(model, database) };
}

/** @throws ToolError for a range without any part of the capture, such as one in another time zone */
function rangeOf(model: CaptureModel, from: Time | undefined, to: Time | undefined) {
  const range = { from: instantOf(model, from), to: instantOf(model, to) };
  const { from: begin = 0, to: end = model.duration } = range;
  if (begin <= model.duration && end >= 0) return range;
  throw new ToolError(
    `The capture has no events in this range: it's from ${utcOf(model, 0)} to ${utcOf(model, model.duration)}, in UTC. Choose a range in it.`,
  );
}

/** ISO 8601, with a space in place of T also; the zone is the fourth part. */
const TIME = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d)?)(?:\.(\d{1,7}))?(Z|[+-]\d\d:\d\d)?)?$/iu;

/** A time as µs from the capture's beginning. A text without a zone is UTC. */
function instantOf({ origin }: CaptureModel, time: Time | undefined): number | undefined {
  if (typeof time !== "string") return time;
  const [, day = "", clock = "00:00", fraction = "", zone = "Z"] = TIME.exec(time) ?? [];
  const ms = Date.parse(`${day}T${clock}${zone.toUpperCase()}`);
  if (Number.isNaN(ms))
    throw new ToolError(
      `${time} isn't a time. Use µs from the capture's beginning, or UTC such as 2026-05-06T02:17:28Z.`,
    );
  return ticksToMicroseconds(filetimeOfUnixMs(ms) + BigInt(fraction.padEnd(7, "0")) - origin);
}

function databaseOf({ databases }: CaptureModel, name: string | undefined): number | undefined {
  if (name === undefined) return undefined;
  const found = databases.findIndex((database) => isSame(database.name, name));
  if (found >= 0) return found;
  const names = databases.map((database) => database.name);
  throw new ToolError(`The capture has no database ${name}. Its databases: ${names.join(", ")}.`);
}

const isSame = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

function rowOf(model: CaptureModel, { row, lsn, database }: BlockAsked): number {
  if (row !== undefined) return row;
  if (lsn === undefined)
    throw new ToolError("Choose a log block with row or lsn. slowest_blocks lists both.");
  const wanted = databaseOf(model, database);
  const rows = findLsn(model, lsn).rows.filter((found) => wanted === undefined || found.database === wanted);
  const [first, second] = rows;
  if (first === undefined)
    throw new ToolError(`No log block has the LSN ${lsn}. slowest_blocks and query_sql list LSNs.`);
  if (second !== undefined) {
    const names = rows.map((found) => model.databases[found.database]?.name ?? "").join(", ");
    throw new ToolError(
      `Several databases have a log block with this LSN: ${names}. Choose one with the argument database.`,
    );
  }
  return first.row;
}

/** UTC of an instant of the capture, ISO 8601. */
const utcOf = ({ origin }: CaptureModel, us: number): string =>
  filetimeText(origin + microsecondsToTicks(us));

interface Figures {
  readonly n: number;
  readonly p50: number | null;
  readonly p95: number | null;
  readonly p99: number | null;
  readonly max: number | null;
  readonly mean: number | null;
}
const NO_FIGURES: Figures = { n: 0, p50: null, p95: null, p99: null, max: null, mean: null };

const figuresOf = ({ n, p50, p95, p99, max, mean }: Figures) => ({
  n,
  p50Us: p50,
  p95Us: p95,
  p99Us: p99,
  maxUs: max,
  meanUs: mean,
});

const asPercent = (share: number | null | undefined): number | null =>
  share === null || share === undefined ? null : share * 100;

const askFrom = (offset: number): string => `For more, ask again with offset ${offset}.`;

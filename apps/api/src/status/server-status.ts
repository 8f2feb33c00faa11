/** State of the server, for the status screen. */
import type { ServerFigures, ServerStatus, StatusDisk, StatusJob } from "@aglens/contract";
import type { Analyzer } from "../captures/analysis/analyzer.ts";
import type { Captures } from "../captures/captures.ts";
import type { LibraryReader } from "../captures/life/library.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Live } from "../live/live.ts";
import type { Config } from "../settings/settings.ts";
import { isListed } from "../store/capture-state.ts";
import type { Catalog } from "../store/catalog.ts";
import type { OtherServers } from "../store/other-servers.ts";
import { keptFreeBytes } from "../store/space.ts";
import type { DiskBytes } from "../store/space.ts";
import type { ThreadActivity } from "../threads/thread-activity.ts";
import { diskGrowth, readDiskParts } from "./disk-use.ts";
import type { DiskParts } from "./disk-use.ts";
import type { EventLoop } from "./event-loop.ts";
import type { RequestFigures } from "./request-figures.ts";

/** The sizes of all files are read again after this time, while a client shows them. */
const PARTS_MS = 60_000;

interface StatusParts {
  readonly captures: Captures;
  readonly analyzer: Pick<Analyzer, "load" | "recognitions" | "mostAnalyses">;
  readonly live: Pick<Live, "running" | "most">;
  readonly facts: Pick<Catalog, "fact">;
  readonly others: Pick<OtherServers, "list">;
  readonly clock: Clock;
  readonly config: Pick<Config, "dataDirectory" | "keepFreeBytes" | "quotaBytesPerPerson">;
  readonly disk: (directory: string) => DiskBytes;
  readonly activity: ThreadActivity;
  readonly requests: RequestFigures;
  readonly eventLoop: EventLoop;
}

export class ServerStatusReader {
  readonly #parts: StatusParts;
  readonly #begun: string;
  #diskParts: { readonly at: number; readonly parts: DiskParts } | null = null;
  #reading: Promise<void> | null = null;

  constructor(parts: StatusParts) {
    this.#parts = parts;
    this.#begun = new Date(parts.clock.now()).toISOString();
  }

  /** State of the server, as far as the reader may see it. */
  async read(reader: LibraryReader): Promise<ServerStatus> {
    const { captures, analyzer } = this.#parts;
    const lines = await captures.library.lines(reader);
    const isTheirs = reader.isAdmin ? () => true : reader.mayChange;
    const shown = lines.filter((line) =>
      isTheirs({ shared: line.shared, ...(line.owner === null ? {} : { owner: line.owner }) }),
    );
    const named = new Map(shown.map((line) => [line.id, line]));
    const recognitions = analyzer.recognitions.map(async ({ captureId, ...counts }) => {
      const record = await captures.records.stored(captureId);
      // A capture whose first file is being recognized has no line yet.
      if (record === null || (!named.has(captureId) && !isTheirs(record))) return [];
      return [{ captureId, name: record.name, owner: record.owner?.name ?? null, ...counts }];
    });
    return {
      server: reader.isAdmin ? await this.#figures(lines) : null,
      jobs: shown.flatMap((line) => this.#job(line)).toSorted((a, b) => turn(a) - turn(b)),
      recognitions: (await Promise.all(recognitions)).flat(),
      own: captures.library.ownStorage(lines, reader.personId),
    };
  }

  /** Resolves when no file is looked at any more. */
  async close(): Promise<void> {
    await this.#reading;
  }

  #job(line: Awaited<ReturnType<Captures["library"]["lines"]>>[number]): StatusJob[] {
    const progress = this.#parts.captures.analyses.progressOf(line.id);
    if (line.state !== "analysing" || progress === null) return [];
    return [
      {
        captureId: line.id,
        name: line.name,
        owner: line.owner?.name ?? null,
        bytes: line.bytes,
        phase: progress.phase,
        share: line.progress?.share ?? 0,
        waiting: progress.waiting ?? null,
        mayChange: line.mayChange,
      },
    ];
  }

  async #figures(lines: Awaited<ReturnType<Captures["library"]["lines"]>>): Promise<ServerFigures> {
    const { analyzer, captures, live, activity, requests, eventLoop, config } = this.#parts;
    const { load } = analyzer;
    const answers = requests.answerMs();
    const delay = eventLoop.delay();
    const owners = Map.groupBy(lines, ({ owner }) => owner?.name ?? "");
    return {
      begun: this.#begun,
      now: new Date(this.#parts.clock.now()).toISOString(),
      disk: await this.#disk(),
      analyses: { running: load.analysing, waiting: captures.analyses.waiting, most: analyzer.mostAnalyses },
      recognitions: { running: load.recognising, waiting: load.filesWaiting },
      liveRuns: { running: live.running, most: live.most },
      answers: { p95Ms: answers.p95, minutes: [...answers.minutes] },
      eventLoop: { p99Ms: delay.p99, minutes: [...delay.minutes] },
      refusals: requests.refusals(),
      unclaimed: await captures.library.unclaimed(),
      threads: activity.threads().map((thread) => ({ ...thread, shares: [...thread.shares] })),
      servers: (await this.#parts.others.list()).map(({ started, ...server }) => ({
        ...server,
        begun: started,
      })),
      people: [...owners]
        .filter(([name]) => name !== "")
        .map(([name, theirs]) => ({
          name,
          captures: theirs.length,
          bytes: theirs.reduce((sum, { bytes }) => sum + bytes, 0),
          limit: config.quotaBytesPerPerson === 0 ? null : config.quotaBytesPerPerson,
        }))
        .toSorted((a, b) => b.bytes - a.bytes),
    };
  }

  async #disk(): Promise<StatusDisk> {
    const { config, disk, facts, clock } = this.#parts;
    const { free, total } = disk(config.dataDirectory);
    if (this.#diskParts === null || clock.now() - this.#diskParts.at >= PARTS_MS) this.#readParts();
    return {
      free,
      total,
      keptFree: keptFreeBytes(total, config.keepFreeBytes),
      parts: this.#diskParts?.parts ?? null,
      growthPerDay: await diskGrowth(facts),
    };
  }

  /** In the background: the next answer has them. */
  #readParts(): void {
    const { config, captures, clock } = this.#parts;
    this.#reading ??= readDiskParts(config.dataDirectory, async (id) => {
      const record = await captures.records.stored(id);
      return record !== null && !isListed(record);
    })
      .then((parts) => {
        this.#diskParts = { at: clock.now(), parts };
      })
      .finally(() => {
        this.#reading = null;
      });
  }
}

/** Running ones first, then by place. */
const turn = ({ waiting }: StatusJob): number => waiting?.place ?? 0;

/** All captures in memory as the library shows them, so that facets and words cost no reading of records. */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Logger } from "pino";
import type {
  CaptureWait,
  FleetFigures,
  LibraryPage,
  Problem,
  Progress,
  StorageUse,
  UnclaimedFigures,
} from "@aglens/contract";
import type { Clock } from "../../kernel/clock.ts";
import { semaphore } from "../../kernel/semaphore.ts";
import { type Blobs, withBlobs } from "../../store/blobs.ts";
import { hasEnded, hasExpired, isListed, isListedFor } from "../../store/capture-state.ts";
import { type Asker, isReady, shownOf, withDigest } from "../../store/capture-state.ts";
import type { CaptureRecord } from "../../store/catalog.ts";
import type { Analyses } from "./analyses.ts";
import { digestOf, hasDigest, recordedDigest } from "../derived/digest.ts";
import { isSameAnalysis, originsOf } from "../derived/validity.ts";
import { groupedFiles } from "@aglens/engine/files";
import { firstEvent } from "../records/ended.ts";
import { groupNameOf, groupOf, nameOfGroup } from "../kept/group-name.ts";
import { withFiles } from "../records/known-names.ts";
import { libraryPage, storageUse } from "./library-lines.ts";
import type { LibraryLine, LibraryQuestion } from "./library-lines.ts";
import { PREVIEW_FILE, SUMMARY_FILE } from "@aglens/engine/analysis";
import { readValid } from "../kept/model-files.ts";
import { restorableUntil } from "../records/records.ts";
import type { Records } from "../records/records.ts";
import { sumOfUnclaimed, unclaimedIn } from "../intake/unclaimed-payloads.ts";

/** Line of a capture for people who may change it, without the state of a running analysis. */
interface KnownLine {
  readonly line: LibraryLine;
  readonly problem: Problem | null;
  readonly ownership: Ownership;
  readonly fleet: FleetFigures | null;
  readonly failover: CaptureRecord["failover"];
  readonly unclaimed: UnclaimedFigures;
  readonly life: CaptureRecord["life"];
}

/** An analyzed capture with the figures that the fleet page follows. */
export interface FiguredCapture {
  readonly line: LibraryLine;
  readonly fleet: FleetFigures;
  readonly failover: CaptureRecord["failover"];
  /** False when the capture has expired: it cannot be opened. */
  readonly isThere: boolean;
}

type Ownership = Pick<CaptureRecord, "owner" | "shared" | "draft">;

/** The person of the request, and their permissions. */
export interface LibraryReader extends Asker {
  readonly isAdmin: boolean;
  readonly maySee: (capture: Ownership) => boolean;
  readonly mayChange: (capture: Ownership) => boolean;
}

/** Limits of bytes; 0 for no limit. */
export interface StorageLimits {
  readonly quotaBytes: number;
  readonly quotaBytesPerPerson: number;
}

/** Other work gets its turn after so many records. */
const RECORDS_A_TURN = 5;

interface LibraryParts {
  readonly records: Records;
  readonly analyses: Analyses;
  readonly blobs: Blobs;
  readonly clock: Clock;
  readonly limits: StorageLimits;
  readonly log: Logger;
}

export class Library {
  readonly #records: Records;
  readonly #analyses: Analyses;
  readonly #blobs: Blobs;
  readonly #clock: Clock;
  readonly #limits: StorageLimits;
  readonly #log: Logger;
  readonly #lines = new Map<string, KnownLine>();
  /** Ids whose record may have changed since their line was made. */
  readonly #changed = new Set<string>();
  #isClosed = false;
  #isFilled = false;
  readonly #inTurn = semaphore(1);
  #filling: Promise<void> = Promise.resolve();

  constructor({ records, analyses, blobs, clock, limits, log }: LibraryParts) {
    this.#records = records;
    this.#analyses = analyses;
    this.#blobs = blobs;
    this.#clock = clock;
    this.#limits = limits;
    this.#log = log;
    // The record is read when it is asked for: a write that is undone was never shown.
    records.onSaved((id) => this.#changed.add(id));
    records.onOutdated((id) => this.#changed.add(id));
    records.others.onMissed(() => this.#lookAtAll());
  }

  /** A page of the captures that a person may see. */
  async page(question: LibraryQuestion, reader: LibraryReader): Promise<LibraryPage> {
    const { personId } = reader;
    const lines = await this.lines(reader);
    const listed = lines.filter(({ id }) => {
      const known = this.#lines.get(id);
      return known === undefined || isListedFor(reader, known.ownership);
    });
    return {
      ...libraryPage(listed, question, personId, this.#clock.now()),
      storage: {
        all: reader.isAdmin ? storageUse(lines, this.#limits.quotaBytes) : null,
        own: this.ownStorage(lines, personId),
      },
    };
  }

  /** All captures that a person may see, also those in the trash. */
  async lines(reader: LibraryReader): Promise<LibraryLine[]> {
    await this.#refresh();
    return [...this.#lines.values()]
      .filter((known) => !hasEnded(known) && reader.maySee(known.ownership))
      .map((known) => this.#shown(known, reader));
  }

  /** Analyzed captures that a user may see: present ones, and expired ones. */
  async figured({ maySee }: Pick<LibraryReader, "maySee">): Promise<FiguredCapture[]> {
    await this.#refresh();
    return [...this.#lines.values()].flatMap((known) => {
      const { line, fleet, failover, ownership } = known;
      const isThere = isListed(known);
      return fleet === null || !(isThere || hasExpired(known.life)) || !maySee(ownership)
        ? []
        : [{ line, fleet, failover, isThere }];
    });
  }

  /** Payload bytes of all captures that no column claims, without those in the trash. */
  async unclaimed(): Promise<UnclaimedFigures> {
    await this.#refresh();
    const present = [...this.#lines.values()].filter(isListed);
    return sumOfUnclaimed(present.map(({ unclaimed }) => unclaimed));
  }

  /** Storage that a person's captures use; null where users don't sign in. */
  ownStorage(lines: readonly LibraryLine[], personId: string | null): StorageUse | null {
    if (personId === null) return null;
    const own = lines.filter(({ owner }) => owner?.id === personId);
    return storageUse(own, this.#limits.quotaBytesPerPerson);
  }

  /**
   * Makes the digests of captures that an earlier version analyzed, and replaces names from earlier versions by
   * today's, in the background.
   */
  fillIn(): void {
    this.#filling = this.#fillInAll().catch((error: unknown) => {
      this.#log.warn({ err: error }, "the captures whose figures lists lack could not be read");
    });
  }

  /** Resolves when nothing is read or written any more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#filling;
  }

  async #fillInAll(): Promise<void> {
    await this.#refresh();
    for (const id of await this.#records.ids()) {
      if (this.#isClosed) return;
      await nextTurn();
      try {
        await this.#fillInOne(id);
      } catch (error) {
        this.#log.warn({ err: error }, "the figures that lists show of a capture could not be read");
      }
    }
  }

  async #fillInOne(id: string): Promise<void> {
    const record = await this.#records.stored(id);
    if (record === null) return;
    if (hasOldName(record))
      await this.#records.changeStored(id, (now) => (hasOldName(now) ? withFiles(now, now.files) : now));
    if (!isReady(record)) return;
    const { stored } = record.analysis;
    if (stored === undefined || hasDigest(record.analysis)) return;
    const read = (name: string) => readValid(this.#blobs.path(id, name), name, stored.files[name]);
    const wanted = {
      [SUMMARY_FILE]: stored.files[SUMMARY_FILE],
      [PREVIEW_FILE]: stored.files[PREVIEW_FILE],
    };
    const [summary, preview] = await withBlobs(this.#blobs, id, wanted, () =>
      Promise.all([read(SUMMARY_FILE), read(PREVIEW_FILE)]).catch(() => []),
    );
    const digest = summary === undefined || preview === undefined ? null : digestOf(summary, preview);
    await this.#records.changeStored(id, (now) => {
      // Analyzed again meanwhile.
      const isSame = isSameAnalysis(originsOf(now), { stored });
      return isSame ? withDigest(now, recordedDigest(digest, stored)) : now;
    });
  }

  /**
   * Refreshes run one after the other, so that a query sees every change that was stored before it, also one that
   * another query is reading.
   */
  #refresh(): Promise<void> {
    return this.#inTurn(() => this.#readChanged());
  }

  /** Lines of captures that no longer exist are removed too. */
  #lookAtAll(): void {
    this.#isFilled = false;
    for (const id of this.#lines.keys()) this.#changed.add(id);
  }

  async #fill(): Promise<void> {
    // Set before they are read: changes that are missed meanwhile are looked for again.
    this.#isFilled = true;
    try {
      for (const id of await this.#records.ids()) this.#changed.add(id);
    } catch (error) {
      this.#isFilled = false;
      throw error;
    }
  }

  async #readChanged(): Promise<void> {
    await this.#records.others.heard();
    while (!this.#isFilled) await this.#fill();
    let count = 0;
    for (const id of this.#changed) {
      if (this.#isClosed) return;
      // Removed before it is read: a change that is stored meanwhile is read again.
      this.#changed.delete(id);
      await this.#readLine(id);
      if (++count % RECORDS_A_TURN === 0) await nextTurn();
    }
  }

  async #readLine(id: string): Promise<void> {
    try {
      const record = await this.#records.stored(id);
      // A capture without files is being put together, or was abandoned.
      if (record === null || (record.files.length === 0 && !hasEnded(record))) this.#lines.delete(id);
      else this.#lines.set(id, lineOf(record));
    } catch (error) {
      this.#changed.add(id);
      throw error;
    }
  }

  /** Most lines are shown as they are known: a list of thousands copies few. */
  #shown({ line, problem, ownership }: KnownLine, reader: LibraryReader): LibraryLine {
    const mayChange = reader.mayChange(ownership);
    const end = this.#analyses.withEnd({ id: line.id, state: line.state, problem });
    if (end.state !== "analysing" && end.state === line.state)
      return mayChange === line.mayChange ? line : { ...line, mayChange };
    const shown = { ...line, mayChange, state: end.state, problem: end.problem?.detail ?? null };
    return { ...shown, wait: waitOf(shown), progress: progressOf(this.#analyses.progressOf(line.id)) };
  }
}

/** Whether an earlier version made its name, such as `SQL1, SQL2 - Sales - 02:16 to 02:18, 6 May 2016`. */
const hasOldName = ({ name, isUnnamed = false }: CaptureRecord): boolean =>
  isUnnamed && / - \d\d:\d\d\b.*, \d{1,2} \w+ \d{4}$/u.test(name);

function progressOf(progress: Progress | null): LibraryLine["progress"] {
  if (progress === null) return null;
  const { phase, bytesDone, bytesTotal, waiting } = progress;
  return { phase, share: bytesTotal === 0 ? 0 : bytesDone / bytesTotal, place: waiting?.place ?? null };
}

function lineOf(record: CaptureRecord): KnownLine {
  const { id, name, created, expires, files, owner, life, analysis, tags = [] } = record;
  const { problem, ...shown } = shownOf(record);
  const digest = analysis.is === "ready" ? analysis.digest : null;
  const { groups } = groupedFiles(files);
  const servers = groups.flatMap((each) => each.servers.map((server) => server.name));
  const databases = groups.flatMap((each) => each.databases);
  const words = [name, shown.verdict, owner?.name, ...servers, ...databases, ...tags];
  const line = {
    id,
    name,
    created,
    expires,
    ...shown,
    group: life.is === "ended" ? life.group : groupOf(files),
    groupName: life.is === "ended" ? life.group && nameOfGroup(life.group) : groupNameOf(files),
    p95Us: digest?.p95Us ?? null,
    durationUs: digest?.durationUs ?? null,
    from: life.is === "ended" ? life.from : firstEvent(files),
    files: files.length,
    bytes: files.reduce((sum, { size }) => sum + size, 0),
    owner: owner ?? null,
    shared: record.shared ?? false,
    ...(record.draft === undefined ? {} : { isDraft: true }),
    tags: [...tags],
    glyph: digest?.glyph ?? null,
    problem: problem?.detail ?? null,
    progress: null,
    mayChange: true,
    trashed:
      life.is === "listed" ? null : { deleted: life.since, restorableUntil: restorableUntil(life.since) },
    words: words.join("\n").toLowerCase(),
  };
  const ownership = { ...(owner === undefined ? {} : { owner }), shared: line.shared, draft: record.draft };
  return {
    line: { ...line, wait: waitOf(line) },
    problem,
    ownership,
    fleet: digest?.fleet ?? null,
    failover: record.failover,
    unclaimed: unclaimedIn(files),
    life,
  };
}

type Found = Pick<LibraryLine, "state" | "verdict" | "severity" | "place">;

/** Place of the verdict where it has one that is worth a look. */
function waitOf({ state, verdict, severity, place }: Found): CaptureWait {
  if (state === "analysing") return "analysing";
  if (state !== "ready") return "unanalysed";
  if (/^(?:Can't determine|Cannot tell)\b/u.test(verdict ?? "")) return "unclear";
  if (severity === null || severity === "none") return "none";
  return place === null || place === "none" ? "other" : place;
}

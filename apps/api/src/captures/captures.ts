import type { Logger } from "pino";
import type { Capture, CaptureList, Owner, UnclaimedFigures } from "@aglens/contract";
import { hasOwnNames } from "@aglens/engine/files";
import type { z } from "zod";
import type { Clock } from "../kernel/clock.ts";
import { newId } from "../kernel/identity.ts";
import type { Blobs } from "../store/blobs.ts";
import { LISTED, NOT_ANALYZED, publish } from "../store/capture-state.ts";
import type { CaptureDraft } from "../store/capture-state.ts";
import type { Catalog, CaptureRecord, LinkRecord, ListedCaptures, RecordedMark } from "../store/catalog.ts";
import type { LostAndFound } from "../store/lost-and-found.ts";
import type { Space } from "../store/space.ts";
import { Analyses } from "./life/analyses.ts";
import { CaptureFiles } from "./intake/capture-files.ts";
import { RecordCopies } from "./records/record-copies.ts";
import { Intake } from "./intake/intake.ts";
import type { IntakeLimits } from "./intake/intake.ts";
import type { Analyzer } from "./analysis/analyzer.ts";
import { Library } from "./life/library.ts";
import type { StorageLimits } from "./life/library.ts";
import { LostCaptures } from "./life/lost-captures.ts";
import type { Paces } from "./analysis/paces.ts";
import { MisreadFiles } from "./intake/misread-files.ts";
import { Parts } from "./life/parts.ts";
import type { Records } from "./records/records.ts";
import { capturesOverSize, heldUntil } from "./records/retention.ts";
import { sweepBlobs } from "./records/sweep.ts";
import type { SweepParts } from "./records/sweep.ts";
import { SavedCaptures } from "./life/saved-captures.ts";
import { KnownNames } from "./records/known-names.ts";
import { keptTags, withoutTag, withTag } from "./records/tags.ts";
import { Trash } from "./life/trash.ts";
import type { AnalysisWork } from "./work/work.ts";

/** Name of the lock for deletions, which one of several servers does for all. */
const SWEEP = "sweep";
const DAY_MS = 24 * 3600 * 1000;
/** A draft, which is dropped files without an analysis, is kept for so long. */
const DRAFT_MS = DAY_MS;
/** An expired link can be renewed for so long, and its page shows that it has expired. */
const ENDED_LINKS_MS = 30 * DAY_MS;

export interface CaptureLimits extends IntakeLimits, StorageLimits {
  /** Days until a capture is deleted; null keeps it. */
  readonly keepDays: number | null;
  /** Bytes of all captures from which the oldest are moved to the trash; null keeps them. */
  readonly keepBytes: number | null;
}

/** A capture of dropped files, before it exists. */
interface NewDraft {
  readonly name: string | undefined;
  readonly tags: readonly string[];
  readonly owner: Owner | undefined;
  readonly browser: string | null;
}

/** Facts about the capture of a live run that are known before its files. */
interface LiveRunFacts {
  readonly marks: readonly RecordedMark[];
  readonly tags?: readonly string[];
  /** Days until it is deleted; null: as other captures. */
  readonly keepDays?: number | null;
}

interface CaptureParts {
  readonly records: Records;
  readonly work: AnalysisWork;
  readonly catalogue: Catalog;
  readonly blobs: Blobs;
  readonly lostAndFound: LostAndFound;
  readonly space: Space;
  readonly analyzer: Analyzer;
  readonly paces: Paces;
  readonly clock: Clock;
  readonly limits: CaptureLimits;
  readonly log: Logger;
}

/** Life of a capture, from its creation to its end; its files and its analysis have modules of their own. */
export class Captures {
  readonly records: Records;
  readonly analyses: Analyses;
  readonly files: CaptureFiles;
  readonly trash: Trash;
  readonly lost: LostCaptures;
  readonly library: Library;
  readonly saved: SavedCaptures;
  readonly names: KnownNames;
  readonly #work: AnalysisWork;
  readonly #parts: Parts;
  readonly #misread: MisreadFiles;
  readonly #intake: Intake;
  readonly #recordCopies: RecordCopies;
  readonly #catalogue: Catalog;
  readonly #blobs: Blobs;
  readonly #lostAndFound: LostAndFound;
  readonly #log: Logger;
  readonly #clock: Clock;
  readonly #keepDays: number | null;
  readonly #keepBytes: number | null;
  #lookingForLost: Promise<void> = Promise.resolve();
  /** Time of the last search, ms since 1970. */
  #lookedForLost = Number.NEGATIVE_INFINITY;
  #bytesBeside: (id: string) => number = () => 0;

  constructor({
    records,
    work,
    catalogue,
    blobs,
    lostAndFound,
    space,
    analyzer,
    paces,
    clock,
    limits,
    log,
  }: CaptureParts) {
    this.#clock = clock;
    this.#catalogue = catalogue;
    this.#blobs = blobs;
    this.#lostAndFound = lostAndFound;
    this.#log = log;
    this.#keepDays = limits.keepDays;
    this.#keepBytes = limits.keepBytes;
    this.records = records;
    this.#work = work;
    const parts = { records, work, blobs, space, analyzer, paces, clock, limits, log };
    this.#recordCopies = new RecordCopies(records, blobs, log);
    const names = new KnownNames(catalogue, log);
    this.names = names;
    const misread = new MisreadFiles(records, work, blobs, analyzer, log);
    this.#misread = misread;
    const analyses = new Analyses({ ...parts, misread, names });
    this.analyses = analyses;
    const intake = new Intake(blobs, analyzer, limits, log);
    this.#intake = intake;
    const files = new CaptureFiles({ ...parts, intake, names, maxFiles: limits.maxFiles });
    this.files = files;
    this.saved = new SavedCaptures({ ...parts, analyses, files, names, maxBytes: limits.maxUploadBytes });
    this.trash = new Trash(parts);
    this.lost = new LostCaptures(lostAndFound, blobs, records, intake);
    this.library = new Library({ ...parts, analyses });
    this.#parts = new Parts(catalogue, records, blobs, work, log);
  }

  /**
   * Repairs leftovers of an earlier process: steps that it began, files that the catalog does not have (never deleted),
   * expired captures, interrupted analyses.
   */
  async recover(): Promise<void> {
    for (const id of this.#catalogue.damaged) {
      this.#log.error(
        { capture: id.slice(0, 4) },
        "a record of the catalogue cannot be read and was put aside",
      );
    }
    const { others } = this.records;
    await others.alone(SWEEP, () => this.#carryOn());
    // Other servers may be writing files that have no record yet; and looking through the files of all servers takes
    // long.
    if (others.isShared) this.#lookForLostDaily(() => this.#writeCopies());
    else await this.#setLostAside();
    // A disk that refuses deletions must not prevent the server from answering.
    await this.sweep().catch((error: unknown) => this.#log.error({ err: error }, "expiry sweep failed"));
    await this.analyses.recover();
    this.library.fillIn();
    if (!others.isShared) await this.#writeCopies();
  }

  /**
   * Continues unfinished steps, and deletes captures by their age, unless the clock may be wrong, and by the bytes of
   * all; unless another server is doing it. To be called every few minutes.
   */
  async sweep(): Promise<void> {
    const { others } = this.records;
    await others.alone(SWEEP, async () => {
      // A server that has died meanwhile may have been at a deletion.
      if (others.isShared) await this.#carryOn();
      else await this.#parts.recover();
      await this.#sweepByAge();
      await this.#sweepBySize();
    });
    if (others.isShared) this.#lookForLostDaily();
  }

  async #carryOn(): Promise<void> {
    await this.#parts.recover();
    await this.trash.recover();
  }

  /** @param writtenBefore ms since 1970: later files stay in their place */
  #setLostAside(writtenBefore?: number): Promise<void> {
    const parts: SweepParts = {
      blobs: this.#blobs,
      lost: this.#lostAndFound,
      recordOf: (id) => this.records.stored(id),
      alone: this.records.others.alone,
      log: this.#log,
    };
    return sweepBlobs(parts, writtenBefore);
  }

  async #writeCopies(): Promise<void> {
    for (const id of await this.#blobs.captures()) this.#recordCopies.write(id);
  }

  /**
   * Servers that run for long also leave files, and replaced results: searched once a day, because it takes long.
   * @param then called afterwards
   */
  #lookForLostDaily(then?: () => Promise<void>): void {
    const now = this.#clock.now();
    if (now < this.#lookedForLost + DAY_MS) return;
    this.#lookedForLost = now;
    this.#lookingForLost = this.#lookingForLost.then(() => this.#lookForLost(now - DAY_MS, then));
  }

  /** Never rejects. @param writtenBefore ms since 1970 */
  async #lookForLost(writtenBefore: number, then?: () => Promise<void>): Promise<void> {
    try {
      await this.records.others.alone("look for lost files", async () => {
        await this.#setLostAside(writtenBefore);
        await then?.();
      });
    } catch (error) {
      this.#log.error({ err: error }, "files that the catalogue does not have could not be looked for");
    }
  }

  /** Payload bytes that no column claims, of the files that this process received. */
  get unclaimed(): UnclaimedFigures {
    return this.#intake.unclaimed;
  }

  /** Adds other data of captures to the bytes that count. @param bytesOf of a capture */
  alsoCount(bytesOf: (id: string) => number): void {
    this.#bytesBeside = bytesOf;
  }

  async #sweepBySize(): Promise<void> {
    if (this.#keepBytes === null) return;
    const now = new Date(this.#clock.now()).toISOString();
    const records = await this.records.all();
    const kept = new Set<string>();
    for (const record of records) if (await this.#isKept(record, now)) kept.add(record.id);
    const over = capturesOverSize(records, this.#keepBytes, ({ id }) => kept.has(id), this.#bytesBeside);
    for (const { id, created } of over) {
      this.#log.warn(
        { created },
        "captures take more than AGLENS_KEEP_BYTES: the oldest was moved to the trash",
      );
      await this.trash.put(id, "expired");
    }
  }

  /**
   * Whether a capture is never deleted for its size: marked to be kept permanently where others expire, open by a link,
   * or in an analysis.
   */
  async #isKept({ id, analysis, expires }: CaptureRecord, now: string): Promise<boolean> {
    if (analysis.is === "running" || (expires === null && this.#keepDays !== null)) return true;
    return (await this.#openLinks(id)).some((link) => link.expires === null || link.expires > now);
  }

  /** Links that were not revoked. */
  async #openLinks(id: string): Promise<LinkRecord[]> {
    return (await this.#catalogue.linksOf(id)).filter(({ takenBack }) => takenBack == null);
  }

  async #sweepByAge(): Promise<void> {
    const now = this.#clock.now();
    const held = await heldUntil(this.#catalogue, now);
    if (held === null) return this.expire();
    const over = (await this.records.expired(new Date(now).toISOString())).length;
    if (over === 0) return;
    this.#log.warn(
      { until: held, captures: over },
      "the clock was set or AG Lens did not run for more than a day: expired captures stay for a day",
    );
  }

  /** Moves expired captures to the trash. Deletes expired links, and captures whose days in the trash have ended. */
  async expire(): Promise<void> {
    const now = new Date(this.#clock.now()).toISOString();
    await this.#catalogue.deleteExpiredLinks(new Date(this.#clock.now() - ENDED_LINKS_MS).toISOString());
    for (const id of await this.records.expired(now)) await this.trash.put(id, "expired");
    await this.trash.emptyOld(now);
  }

  /**
   * An empty capture.
   * @param name undefined derives the name from its files
   * @param owner the creator; undefined where users don't sign in
   */
  async create(name?: string, owner?: Owner, tags: readonly string[] = []): Promise<Capture> {
    return this.#add({ ...this.#empty(name, owner), ...keptTags(tags) });
  }

  /** An empty draft. @param browser hash of the name that the browser has for itself; null without one */
  createDraft({ owner, browser, ...made }: NewDraft): Promise<Capture> {
    const record = this.#empty(made.name, owner);
    const draft = {
      ...(owner === undefined && browser !== null ? { browser } : {}),
      expires: record.expires,
    };
    return this.#add({ ...this.#asDraft(record, draft), ...keptTags(made.tags) });
  }

  /** Keeps a draft to which files are still being sent. */
  async deferDraft(id: string): Promise<void> {
    const least = this.#clock.now() + DRAFT_MS / 2;
    await this.records.changeStored(id, (record) =>
      record.draft === undefined || record.expires === null || Date.parse(record.expires) >= least
        ? record
        : this.#asDraft(record, record.draft),
    );
  }

  async #add(record: CaptureRecord): Promise<Capture> {
    await this.records.add(record);
    return this.analyses.asCapture(record);
  }

  #asDraft(record: CaptureRecord, draft: CaptureDraft): CaptureRecord {
    return { ...record, draft, expires: new Date(this.#clock.now() + DRAFT_MS).toISOString() };
  }

  /**
   * The capture of a live run, created if no capture has that id yet: the run stores the id before. Its files are one
   * capture regardless of their grouping.
   */
  async ofLiveRun(
    id: string,
    name: string,
    owner?: Owner,
    { marks, tags = [], keepDays = null }: LiveRunFacts = { marks: [] },
  ): Promise<Capture> {
    const expires =
      keepDays === null ? {} : { expires: new Date(this.#clock.now() + keepDays * DAY_MS).toISOString() };
    const record = { ...this.#empty(name, owner), ...expires, ...keptTags(tags), id, isOne: true, marks };
    await this.records.add(record);
    return this.get(id);
  }

  #empty(name: string | undefined, owner: Owner | undefined): CaptureRecord {
    return {
      id: newId(),
      name: name ?? "Capture",
      ...(name === undefined ? { isUnnamed: true } : {}),
      ...(owner === undefined ? {} : { owner }),
      created: new Date(this.#clock.now()).toISOString(),
      expires: this.#expiry(),
      life: LISTED,
      analysis: NOT_ANALYZED,
      files: [],
    };
  }

  /** Makes a capture of each group of the files (`Parts.split`). @returns every capture, in the order of the groups */
  async split(id: string): Promise<Capture[]> {
    const { owner, tags = [], draft, expires } = await this.records.get(id);
    const asOne = draft === undefined ? {} : { draft, expires };
    const ids = await this.#parts.split(id, () => ({
      ...this.#empty(undefined, owner),
      ...keptTags(tags),
      ...asOne,
    }));
    return Promise.all(ids.map((each) => this.get(each)));
  }

  /**
   * Makes a capture of files that the catalog did not have (`LostCaptures.takeBack`). @param owner where the record has
   * none
   */
  async takeBack(lostId: string, owner?: Owner): Promise<Capture> {
    return this.#putRight(await this.lost.takeBack(lostId, this.#empty(undefined, owner)));
  }

  /** Restores a capture from the trash. @throws ProblemError `capture-not-found` */
  async restore(id: string): Promise<Capture> {
    return this.#putRight(await this.trash.restore(id));
  }

  /** A start repairs captures that are in the catalog at that time. */
  async #putRight(record: CaptureRecord): Promise<Capture> {
    await this.analyses.putRight(record);
    return this.get(record.id);
  }

  /** A page of captures, newest first; parameters as of `Records.page`. */
  async list(limit: number, listed: ListedCaptures, after?: string): Promise<z.infer<typeof CaptureList>> {
    const page = await this.analyses.read(
      () => this.records.page(limit, listed, after),
      ({ captures }) => captures,
    );
    return { ...page, captures: page.captures.map((capture) => this.analyses.withEnd(capture)) };
  }

  /** @throws ProblemError `capture-not-found` */
  async get(id: string): Promise<Capture> {
    return this.analyses.asCapture(await this.analyses.record(id));
  }

  /** @throws ProblemError `capture-not-found` */
  async rename(id: string, name: string): Promise<Capture> {
    return this.analyses.asCapture(
      await this.records.change(id, (record) => ({ ...record, name, isUnnamed: false })),
    );
  }

  /**
   * Opens the capture to all signed-in users, or only to its owner and admins. @throws ProblemError `capture-not-found`
   */
  async share(id: string, shared: boolean): Promise<Capture> {
    const record = await this.records.change(id, (before) => ({
      ...(shared ? publish(before) : before),
      shared,
    }));
    // All users can see its names from now on.
    if (shared) await this.names.learn(record, record.files.filter(hasOwnNames), record.files);
    return this.analyses.asCapture(record);
  }

  /** Adds or removes a tag. @throws ProblemError `capture-not-found`, `too-many-tags` */
  async tag(id: string, tag: string, isWanted: boolean): Promise<Capture> {
    const change = isWanted ? withTag : withoutTag;
    return this.analyses.asCapture(await this.records.change(id, (record) => change(record, tag)));
  }

  /**
   * Keeps a capture permanently, or for the days that captures are kept, from now on. @throws ProblemError
   * `capture-not-found`
   */
  async keep(id: string, isKept: boolean): Promise<Capture> {
    const expires = isKept ? null : await this.#noEarlierThanLinks(id, this.#expiry());
    return this.analyses.asCapture(
      await this.records.change(id, (record) => ({ ...publish(record), expires })),
    );
  }

  async #noEarlierThanLinks(id: string, expires: string | null): Promise<string | null> {
    return (await this.#openLinks(id)).reduce<string | null>(
      (latest, link) =>
        latest === null || link.expires === null ? null : latest > link.expires ? latest : link.expires,
      expires,
    );
  }

  #expiry(): string | null {
    return this.#keepDays === null
      ? null
      : new Date(this.#clock.now() + this.#keepDays * DAY_MS).toISOString();
  }

  /** A capture stays at least as long as a link to it. `expires` null keeps it permanently. */
  async keepUntil(id: string, expires: string | null): Promise<void> {
    await this.records.change(id, (before) => {
      const record = publish(before);
      if (record.expires === null || (expires !== null && expires <= record.expires)) return record;
      return { ...record, expires };
    });
  }

  /** This server is about to end, as the work that several share has it. */
  rest(): void {
    this.#work.rest();
  }

  /** Ends every running analysis; for shutdown. */
  async close(): Promise<void> {
    await this.#lookingForLost;
    await this.library.close();
    await this.#misread.close();
    await this.#work.close();
    await this.#recordCopies.settle();
  }
}

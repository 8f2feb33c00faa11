import type { Logger } from "pino";
import { createReadStream } from "node:fs";
import type { Capture, CaptureFile, CaptureGroup, CaptureList, Owner } from "@aglens/contract";
import type { z } from "zod";
import type { Clock } from "../clock.ts";
import { newId } from "../identity.ts";
import type { Blobs } from "../store/blobs.ts";
import type { Catalogue, CaptureRecord } from "../store/catalogue.ts";
import { isDiskFull } from "../store/space.ts";
import type { Space } from "../store/space.ts";
import { Analyses } from "./analyses.ts";
import { CaptureFiles } from "./capture-files.ts";
import { groupedFiles } from "./grouped-files.ts";
import { Intake } from "./intake.ts";
import type { IntakeLimits } from "./intake.ts";
import type { Analyser } from "./analyser.ts";
import { Records } from "./records.ts";

const DAY_MS = 24 * 3600 * 1000;

export interface CaptureLimits extends IntakeLimits {
  /** Days until a capture is deleted; null keeps it. */
  readonly keepDays: number | null;
}

const filesOfGroup = ({ servers }: CaptureGroup): string[] => servers.flatMap(({ files }) => files);

/** Whether a topology names a replica of the group. */
const isAbout = ({ replicaNames }: CaptureFile, { servers, withoutFile }: CaptureGroup): boolean =>
  [...servers.flatMap(({ ids }) => ids), ...withoutFile.map(({ id }) => id)].some((id) => id in replicaNames);

/** Life of a capture, from its making to its end; its files and its analysis have rooms of their own. */
export class Captures {
  readonly records: Records;
  readonly analyses: Analyses;
  readonly files: CaptureFiles;
  readonly #catalogue: Catalogue;
  readonly #blobs: Blobs;
  readonly #space: Space;
  readonly #log: Logger;
  readonly #clock: Clock;
  readonly #keepDays: number | null;

  constructor(
    catalogue: Catalogue,
    blobs: Blobs,
    space: Space,
    analyser: Analyser,
    clock: Clock,
    limits: CaptureLimits,
    log: Logger,
  ) {
    this.#clock = clock;
    this.#catalogue = catalogue;
    this.#blobs = blobs;
    this.#space = space;
    this.#log = log;
    this.#keepDays = limits.keepDays;
    this.records = new Records(catalogue);
    this.analyses = new Analyses(this.records, blobs, space, analyser, log);
    const intake = new Intake(blobs, analyser, limits, log);
    this.files = new CaptureFiles(this.records, this.analyses, blobs, intake, limits.maxFiles);
  }

  /** Puts right what an earlier process left behind: blobs without a record, which are never deleted, captures whose time is over, analyses cut off. */
  async recover(): Promise<void> {
    const recorded = new Set(this.records.all().map((capture) => capture.id));
    for (const id of await this.#blobs.captures()) {
      if (recorded.has(id)) continue;
      const place = await this.#blobs.setAside(id);
      this.#log.error({ place }, "files of a capture that the catalogue does not have were set aside");
    }
    // A disk that takes no deletion is no reason not to serve what is there.
    await this.expire().catch((error: unknown) => this.#log.error({ err: error }, "expiry sweep failed"));
    await this.analyses.recover();
  }

  /** Deletes captures and links whose time is over. */
  async expire(): Promise<void> {
    const now = new Date(this.#clock.now()).toISOString();
    this.#catalogue.deleteExpiredLinks(now);
    for (const id of this.records.expired(now)) await this.remove(id);
  }

  /**
   * An empty capture.
   * @param name undefined gives it the name that its files make
   * @param owner who makes it; undefined where nobody signs in
   */
  create(name?: string, owner?: Owner): Capture {
    const record = this.#empty(name, owner);
    this.records.add(record);
    return this.analyses.asCapture(record);
  }

  /**
   * The capture of a live run, made when there is none with that id yet: the run notes the id before. Its files are one
   * capture however they are grouped.
   */
  ofLiveRun(id: string, name: string, owner?: Owner): Capture {
    if (!this.records.has(id)) this.records.add({ ...this.#empty(name, owner), id, isOne: true });
    return this.get(id);
  }

  #empty(name: string | undefined, owner: Owner | undefined): CaptureRecord {
    const now = this.#clock.now();
    return {
      id: newId(),
      name: name ?? "Capture",
      ...(name === undefined ? { isUnnamed: true } : {}),
      ...(owner === undefined ? {} : { owner }),
      created: new Date(now).toISOString(),
      expires: this.#keepDays === null ? null : new Date(now + this.#keepDays * DAY_MS).toISOString(),
      state: "receiving",
      files: [],
      problem: null,
      verdict: null,
      severity: null,
      place: null,
    };
  }

  /**
   * Makes a capture of each group of the files: this one keeps the first that is not foreign, with what is not used. A
   * topology is copied to each capture whose replicas it names.
   * @returns every capture, in the order of the groups
   * @throws ProblemError `capture-not-found`, `wrong-state` while the capture is analysed
   */
  async split(id: string): Promise<Capture[]> {
    const record = this.analyses.expectNone(id);
    const { groups } = groupedFiles(record.files);
    if (groups.length < 2 || record.isOne === true) return [this.get(id)];
    const kept = groups.find(({ foreign }) => !foreign) ?? groups[0];
    const ids: string[] = [];
    for (const group of groups) ids.push(group === kept ? id : await this.#moveOut(record, group));
    const moved = new Set(groups.filter((group) => group !== kept).flatMap(filesOfGroup));
    this.records.changeAndOutdate(id, (before) => {
      const { files, groups } = groupedFiles(before.files.filter((file) => !moved.has(file.id)));
      return { ...before, files, name: groups[0]?.name ?? before.name };
    });
    return ids.map((each) => this.get(each));
  }

  /** A new capture with the files of a group. @returns its id */
  async #moveOut(from: CaptureRecord, group: CaptureGroup): Promise<string> {
    const record = this.#empty(undefined, from.owner);
    const members = new Set(filesOfGroup(group));
    const files = from.files.filter((file) => members.has(file.id));
    for (const { id } of files) await this.#blobs.adopt(record.id, id, this.#blobs.path(from.id, id));
    for (const topology of from.files.filter((file) => file.kind === "topology" && isAbout(file, group))) {
      const copy = { ...topology, id: newId() };
      const source = createReadStream(this.#blobs.path(from.id, topology.id));
      await this.#blobs.receive(record.id, copy.id, source, Number.POSITIVE_INFINITY);
      files.push(copy);
    }
    const grouped = groupedFiles(files);
    this.records.add({ ...record, files: grouped.files, name: grouped.groups[0]?.name ?? group.name });
    return record.id;
  }

  /** A page of captures, newest first; parameters as of `Records.page`. */
  list(limit: number, fewestFiles: 0 | 1, after?: string, seenBy?: string): z.infer<typeof CaptureList> {
    const page = this.records.page(limit, fewestFiles, after, seenBy);
    return { ...page, captures: page.captures.map((capture) => this.analyses.withEnd(capture)) };
  }

  /** @throws ProblemError `capture-not-found` */
  get(id: string): Capture {
    return this.analyses.asCapture(this.records.get(id));
  }

  /** @throws ProblemError `capture-not-found` */
  rename(id: string, name: string): Capture {
    return this.analyses.asCapture(
      this.records.change(id, (record) => ({ ...record, name, isUnnamed: false })),
    );
  }

  /** Lets everybody who signs in open it, or nobody but its owner and admins. @throws ProblemError `capture-not-found` */
  share(id: string, shared: boolean): Capture {
    return this.analyses.asCapture(this.records.change(id, (record) => ({ ...record, shared })));
  }

  /** A capture stays at least as long as a link to it. `expires` null keeps it for good. */
  keepUntil(id: string, expires: string | null): void {
    this.records.change(id, (record) => {
      if (record.expires === null || (expires !== null && expires <= record.expires)) return record;
      return { ...record, expires };
    });
  }

  /** @throws ProblemError `capture-not-found` */
  async remove(id: string): Promise<void> {
    this.records.get(id);
    await this.analyses.end(id);
    // The record goes first: blobs without a record are swept at the next start, a record without blobs would be a lie.
    try {
      this.records.remove(id);
    } catch (error) {
      if (!isDiskFull(error)) throw error;
      // Not even the reserve was left: the blobs make the room that the record's deletion needs.
      await this.#blobs.removeCapture(id);
      this.records.remove(id);
    }
    await this.#blobs.removeCapture(id);
    this.#space.restoreReserve();
  }

  /** Ends every running analysis; for shutdown. */
  async close(): Promise<void> {
    await this.analyses.close();
  }
}

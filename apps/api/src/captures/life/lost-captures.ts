/** Files that the catalog does not have. A user can restore them as captures. */
import type { CaptureFile, LostCapture } from "@aglens/contract";
import { newId } from "../../kernel/identity.ts";
import { problem } from "@aglens/engine/problems";
import type { ProblemError } from "@aglens/engine/problems";
import type { Blobs } from "../../store/blobs.ts";
import { CatalogUnreachableError } from "../../store/catalog.ts";
import { discardResults, LISTED } from "../../store/capture-state.ts";
import type { CaptureRecord } from "../../store/catalog.ts";
import type { LostAndFound, LostFolder } from "../../store/lost-and-found.ts";
import { recordInCopy } from "../records/record-copies.ts";
import { groupedFiles } from "@aglens/engine/files";
import type { Intake } from "../intake/intake.ts";
import { isDerived } from "../derived/derived-things.ts";
import { RECORD_COPY_FILE } from "../kept/record-copy-file.ts";
import { lostFilesOf } from "../records/sweep.ts";
import type { Records } from "../records/records.ts";

export class LostCaptures {
  readonly #lost: LostAndFound;
  readonly #blobs: Blobs;
  readonly #records: Records;
  readonly #intake: Intake;
  /** Captures that are being restored: a second request must not make a second capture. */
  readonly #moving = new Set<string>();

  constructor(lost: LostAndFound, blobs: Blobs, records: Records, intake: Intake) {
    this.#lost = lost;
    this.#blobs = blobs;
    this.#records = records;
    this.#intake = intake;
  }

  /** Folders with files of events or topologies. */
  async list(): Promise<LostCapture[]> {
    const folders = await this.#lost.folders();
    return Promise.all(
      folders.filter((folder) => sourcesIn(folder).length > 0).map((each) => this.#described(each)),
    );
  }

  /**
   * Makes a capture of a lost folder: the original one, from the copy of its record next to its files. Files that the
   * record does not have are recognized again and get numbered names.
   * @param fresh the record of a new capture
   * @throws ProblemError `capture-not-found`, `wrong-state`
   */
  takeBack(lostId: string, fresh: CaptureRecord): Promise<CaptureRecord> {
    return this.#alone(lostId, (folder) => this.#takeBack(folder, fresh));
  }

  async #takeBack(folder: LostFolder, fresh: CaptureRecord): Promise<CaptureRecord> {
    const copied = await this.#copiedRecord(folder);
    const isFree = copied !== null && (await this.#records.stored(copied.id)) === null;
    const id = isFree ? copied.id : newId();
    await this.#lost.takeBack(folder.id, id);
    try {
      return await this.#recorded(id, copied, folder, fresh);
    } catch (error) {
      // A record that may be stored has its files; if it is not, the next start puts them aside again.
      if (!(error instanceof CatalogUnreachableError)) await this.#lost.putBack(folder.id, id);
      throw error;
    }
  }

  /** Deletes a lost folder permanently. @throws ProblemError `capture-not-found`, `wrong-state` */
  async remove(lostId: string): Promise<void> {
    await this.#alone(lostId, (folder) => this.#lost.remove(folder.id));
  }

  /**
   * A folder, locked against others that move files to it or from it: while files are set aside, the folder is
   * incomplete.
   */
  async #alone<Result>(lostId: string, work: (folder: LostFolder) => Promise<Result>): Promise<Result> {
    const { captureId } = await this.#folder(lostId);
    const ends: { readonly of: Result }[] = [];
    await this.#records.others.alone(lostFilesOf(captureId), async () => {
      if (this.#moving.has(lostId)) throw noSuchFiles();
      this.#moving.add(lostId);
      try {
        ends.push({ of: await work(await this.#folder(lostId)) });
      } finally {
        this.#moving.delete(lostId);
      }
    });
    const [end] = ends;
    if (end !== undefined) return end.of;
    throw problem("wrong-state", "These files are being moved at the moment. Try again when that is over.");
  }

  async #recorded(
    id: string,
    copied: CaptureRecord | null,
    folder: LostFolder,
    fresh: CaptureRecord,
  ): Promise<CaptureRecord> {
    const base = copied ?? { ...fresh, name: await this.#nameOf(folder, null) };
    const kept = base.files.filter((file) => folder.files[file.id] === file.size);
    const others = sourcesIn(folder).filter((key) => base.files.every((file) => file.id !== key));
    const found = await Promise.all(others.map((key, index) => this.#recognised(id, key, index + 1)));
    const { files } = groupedFiles([...kept, ...found.filter((file) => file !== null)]);
    const isComplete = files.length === base.files.length && kept.length === files.length;
    const results = isComplete && base.analysis.is !== "running" ? base : discardResults(base);
    const record = { ...results, id, files, expires: fresh.expires, life: LISTED };
    if (!(await this.#records.add(record))) throw new Error("a capture with that id was made meanwhile");
    return record;
  }

  #recognised(id: string, key: string, count: number): Promise<CaptureFile | null> {
    return this.#intake.adopt(id, key, `found_${count}.xel`, this.#blobs.path(id, key));
  }

  async #described(folder: LostFolder): Promise<LostCapture> {
    const copied = await this.#copiedRecord(folder);
    const sources = sourcesIn(folder);
    return {
      id: folder.id,
      name: await this.#nameOf(folder, copied),
      created: copied?.created ?? null,
      files: sources.length,
      bytes: sources.reduce((sum, key) => sum + (folder.files[key] ?? 0), 0),
    };
  }

  async #copiedRecord({ id }: LostFolder): Promise<CaptureRecord | null> {
    return recordInCopy((await this.#lost.read(id, RECORD_COPY_FILE)) ?? "");
  }

  async #nameOf({ captureId }: LostFolder, copied: CaptureRecord | null): Promise<string> {
    if (copied !== null) return copied.name;
    const present = await this.#records.stored(captureId);
    return present === null ? "Found files" : `Found files of ${present.name}`;
  }

  async #folder(lostId: string): Promise<LostFolder> {
    const folder = (await this.#lost.folders()).find(({ id }) => id === lostId);
    if (folder === undefined) throw noSuchFiles();
    return folder;
  }
}

const noSuchFiles = (): ProblemError =>
  problem("capture-not-found", "Can't find these files. They were already restored or deleted.");

/** Keys of uploaded files. */
const sourcesIn = ({ files }: LostFolder): string[] => Object.keys(files).filter((key) => !isDerived(key));

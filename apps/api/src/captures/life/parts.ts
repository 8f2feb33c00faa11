/**
 * Makes captures of the groups of one capture's files. The plan is stored before the first file moves, and the next
 * process undoes or continues it, so that a process that ends at any moment loses nothing.
 */
import type { Logger } from "pino";
import type { CaptureFile, CaptureGroup } from "@aglens/contract";
import { newId } from "../../kernel/identity.ts";
import type { Blobs } from "../../store/blobs.ts";
import { CatalogUnreachableError } from "../../store/catalog.ts";
import type { Catalog, CaptureRecord, HeldCatalog } from "../../store/catalog.ts";
import { discardResults } from "../../store/capture-state.ts";
import { captureOf, storedOf } from "../../store/stored-record.ts";
import type { StoredCapture } from "../../store/stored-record.ts";
import { filesOfGroup, groupedFiles, groupsOfEvidence, isEvidence } from "@aglens/engine/files";
import type { Records } from "../records/records.ts";
import type { Work } from "../work/work.ts";

/** A capture that is to be made. */
interface Part {
  readonly record: CaptureRecord;
  /** Files that move; they keep their ids. */
  readonly moves: readonly string[];
  /** Topologies and files of evidence that several parts need. */
  readonly copies: readonly { readonly from: string; readonly to: string }[];
}

/** Whether a topology names a replica of the group. */
const isAbout = ({ replicaNames }: CaptureFile, { servers, withoutFile }: CaptureGroup): boolean =>
  [...servers.flatMap(({ ids }) => ids), ...withoutFile.map(({ id }) => id)].some((id) => id in replicaNames);

export class Parts {
  readonly #catalogue: Catalog;
  readonly #records: Records;
  readonly #blobs: Blobs;
  readonly #work: Work;
  readonly #log: Logger;

  constructor(catalogue: Catalog, records: Records, blobs: Blobs, work: Work, log: Logger) {
    this.#catalogue = catalogue;
    this.#records = records;
    this.#blobs = blobs;
    this.#work = work;
    this.#log = log;
  }

  /**
   * The capture keeps the first group that is not foreign, and unused files; each other group becomes a capture. A
   * topology is copied to each capture whose replicas it names. Evidence goes with the captures of its server.
   * @param empty makes the record of a new capture
   * @returns ids of all, in the order of the groups
   * @throws ProblemError `capture-not-found`, `wrong-state` while the capture is analyzed, `disk-full`; nothing is
   * changed then
   */
  async split(id: string, empty: () => CaptureRecord): Promise<string[]> {
    return this.#work.hold(id, async (catalogue) =>
      this.#parted(catalogue, await this.#records.get(id), empty),
    );
  }

  async #parted(
    catalogue: HeldCatalog,
    record: CaptureRecord,
    empty: () => CaptureRecord,
  ): Promise<string[]> {
    const { id } = record;
    const { groups } = groupedFiles(record.files);
    if (groups.length < 2 || record.isOne === true) return [id];
    const kept = groups.find(({ foreign }) => !foreign) ?? groups[0];
    const parts = new Map(
      groups
        .filter((group) => group !== kept)
        .map((group) => [
          group,
          partOf(record, group, evidenceOf(record.files, group, groups, kept), empty()),
        ]),
    );
    await this.#begin(catalogue, id, [...parts.values()]);
    return groups.map((group) => parts.get(group)?.record.id ?? id);
  }

  /** Continues plans of an earlier process, or of this one when the catalog did not answer. */
  async recover(): Promise<void> {
    for (const { id, plan } of await this.#catalogue.plans()) {
      try {
        await this.#work.holdIfFree(id, (catalogue) => this.#carryOut(catalogue, id, partsIn(plan)));
      } catch (error) {
        this.#log.error({ err: error }, "the parts of a capture could not be made; it is tried again");
      }
    }
  }

  async #begin(catalogue: HeldCatalog, id: string, parts: readonly Part[]): Promise<void> {
    await catalogue.savePlan({ id, plan: planOf(parts) });
    try {
      await this.#carryOut(catalogue, id, parts);
    } catch (error) {
      // It may be stored: the plan, if it is there still, is carried on later.
      if (!(error instanceof CatalogUnreachableError)) await this.#undo(catalogue, id, parts);
      throw error;
    }
  }

  /** Each step can be done again. */
  async #carryOut(catalogue: HeldCatalog, id: string, parts: readonly Part[]): Promise<void> {
    for (const { record, copies } of parts) {
      for (const { from, to } of copies) await this.#blobs.copy(id, from, record.id, to);
    }
    for (const { record, moves } of parts) {
      for (const key of moves) await this.#blobs.move(id, key, record.id);
    }
    const moved = new Set(parts.flatMap(({ moves }) => moves));
    const added = parts.map(({ record }) => record);
    await this.#records.endPlan(id, added, (before) => withoutMoved(before, moved), catalogue.endPlan);
  }

  async #undo(catalogue: HeldCatalog, id: string, parts: readonly Part[]): Promise<void> {
    // Another server may have carried out the plan: its parts are captures.
    await catalogue.expectHeld();
    for (const { record, moves } of parts) {
      for (const key of moves) await this.#blobs.move(record.id, key, id);
      await this.#blobs.removeCapture(record.id);
    }
    await catalogue.deletePlan(id);
  }
}

/** A plan as it is stored. */
function planOf(parts: readonly Part[]): string {
  return JSON.stringify(parts.map((part) => ({ ...part, record: storedOf(part.record) })));
}

function partsIn(plan: string): Part[] {
  const parts = JSON.parse(plan) as (Omit<Part, "record"> & { readonly record: StoredCapture })[];
  return parts.map((part) => ({ ...part, record: captureOf(part.record) }));
}

/** Evidence that a part gets: it moves to the first capture that it is about, unless that keeps it. */
interface EvidenceOfPart {
  readonly moves: readonly CaptureFile[];
  readonly copies: readonly CaptureFile[];
}

function evidenceOf(
  files: readonly CaptureFile[],
  group: CaptureGroup,
  groups: readonly CaptureGroup[],
  kept: CaptureGroup | undefined,
): EvidenceOfPart {
  const moves: CaptureFile[] = [];
  const copies: CaptureFile[] = [];
  for (const file of files.filter(isEvidence)) {
    const about = groupsOfEvidence(file, groups);
    if (!about.includes(group)) continue;
    const isFirst = about[0] === group && about.every((each) => each !== kept);
    (isFirst ? moves : copies).push(file);
  }
  return { moves, copies };
}

function partOf(
  from: CaptureRecord,
  group: CaptureGroup,
  evidence: EvidenceOfPart,
  record: CaptureRecord,
): Part {
  const moved = [...filesOfGroup(from.files, group), ...evidence.moves];
  const topologies = from.files.filter((file) => file.kind === "topology" && isAbout(file, group));
  const shared = [...topologies, ...evidence.copies];
  const copies = shared.map((file) => ({ ...file, id: newId() }));
  const grouped = groupedFiles([...moved, ...copies]);
  return {
    record: { ...record, files: grouped.files, name: grouped.groups[0]?.name ?? group.name },
    moves: moved.map(({ id }) => id),
    copies: shared.map(({ id }, index) => ({ from: id, to: copies[index]?.id ?? id })),
  };
}

function withoutMoved(before: CaptureRecord, moved: ReadonlySet<string>): CaptureRecord {
  const { files, groups } = groupedFiles(before.files.filter((file) => !moved.has(file.id)));
  return { ...discardResults(before), files, name: groups[0]?.name ?? before.name };
}

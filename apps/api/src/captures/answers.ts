import type { Sequence, SequenceEvent, Summary, Verdict } from "xel-parser/contract";
import { diagnose } from "xel-parser/diagnosis";
import { openXel } from "xel-parser/format";
import { eventsOf, sequence, summarise, toSequenceEvent } from "xel-parser/query";
import type { CaptureModel } from "xel-parser/replication";
import { problem } from "../http/problem.ts";
import type { Captures } from "./captures.ts";
import { uniqueNames } from "./file-name.ts";
import { readModel } from "./model-files.ts";
import { randomAccess } from "./random-access.ts";

/** Models kept in memory; one of a million blocks takes a few hundred megabytes. */
const KEPT_MODELS = 3;

/** Models of analysed captures, read from the store when asked for; the ones used last stay in memory. */
export class Answers {
  readonly #captures: Captures;
  /** In order of use, the last used last. */
  readonly #models = new Map<string, Promise<CaptureModel>>();

  constructor(captures: Captures) {
    this.#captures = captures;
    captures.onForgotten((id) => this.#models.delete(id));
  }

  /** @throws ProblemError when the capture is unknown or not analysed yet */
  async model(id: string): Promise<CaptureModel> {
    this.#expectReady(id);
    const model = this.#models.get(id) ?? this.#load(id);
    this.#models.delete(id);
    this.#models.set(id, model);
    for (const oldest of this.#models.keys()) {
      if (this.#models.size <= KEPT_MODELS) break;
      this.#models.delete(oldest);
    }
    return model;
  }

  async summary(id: string): Promise<Summary> {
    const model = await this.model(id);
    return summarise(model, id, this.#captures.get(id).name, verdictOf(model));
  }

  /** One block with its raw events, read again from the stored files. */
  async sequence(id: string, row: number): Promise<Sequence> {
    const model = await this.model(id);
    if (row >= model.blocks.length) {
      throw problem(
        "block-not-found",
        `The capture has ${model.blocks.length} log blocks; there is no row ${row}.`,
      );
    }
    return { ...sequence(model, row), events: await this.#rawEvents(id, model, row) };
  }

  /** Where a stored table is. @throws ProblemError as `model` */
  tablePath(id: string, name: string): string {
    this.#expectReady(id);
    return this.#captures.pathOf(id, name);
  }

  #expectReady(id: string): void {
    const { state } = this.#captures.get(id);
    if (state === "ready") return;
    throw problem(
      "wrong-state",
      `The capture has no analysis to ask: it is ${state}. Start the analysis first.`,
    );
  }

  async #rawEvents(id: string, model: CaptureModel, row: number): Promise<SequenceEvent[]> {
    const places = eventsOf(model, row);
    const events: (SequenceEvent | undefined)[] = [];
    for (const file of new Set(places.map((place) => place.file))) {
      const path = this.#pathOf(id, model.files[file].name);
      if (path === null) continue;
      const bytes = await randomAccess(path);
      try {
        const xel = await openXel((offset, length) => bytes.read(offset, length), bytes.size);
        for (const [index, place] of places.entries()) {
          if (place.file !== file) continue;
          events[index] = toSequenceEvent(model, place, await xel.eventAt(place.offset));
        }
      } finally {
        await bytes.close();
      }
    }
    return events.filter((event) => event !== undefined);
  }

  #pathOf(id: string, name: string): string | null {
    const fileId = uniqueNames(this.#captures.get(id).files).get(name);
    return fileId === undefined ? null : this.#captures.pathOf(id, fileId);
  }

  #load(id: string): Promise<CaptureModel> {
    const model = readModel((name) => this.#captures.pathOf(id, name));
    model.catch(() => this.#models.delete(id));
    return model;
  }
}

const verdicts = new WeakMap<CaptureModel, Verdict>();

/** Diagnosis takes a moment on a large model, so each model's is kept. */
function verdictOf(model: CaptureModel): Verdict {
  const known = verdicts.get(model);
  if (known) return known;
  const verdict: Verdict = diagnose(model);
  verdicts.set(model, verdict);
  return verdict;
}

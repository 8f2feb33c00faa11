/** Captures that were analyzed in this process, in its memory, and their tables in a temporary folder. */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { isExpected, type Analysis } from "@aglens/ag-model/commands";
import { TABLES_AT_REST } from "@aglens/ag-model/tables";
import { analysisOf } from "@aglens/cli/saved";
import { capturesIn, type CaptureToWrite } from "@aglens/cli/tables";
import { writeTables } from "../dataset/capture-tables.ts";
import type { SqlFileTable } from "../sql/question.ts";
import { ToolError } from "./tool-error.ts";

/** A capture with the id by which an assistant refers to it. */
export interface OpenCapture extends Omit<CaptureToWrite, "sources"> {
  readonly id: string;
}

/** Captures of one call, and a sentence for each thing that isn't in them. */
export interface NewCaptures {
  readonly captures: readonly OpenCapture[];
  readonly notRead: readonly string[];
}

/** Log blocks of all captures that stay in memory, some 2 GB; the captures of the last call stay in any case. */
const MOST_BLOCKS = 4_000_000;

export class OpenCaptures {
  readonly #folder: string;
  readonly #open = new Map<string, OpenCapture>();
  readonly #written = new Map<string, Promise<SqlFileTable[]>>();
  #last = 0;

  /** @param folder temporary folder for tables */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** @throws ToolError where no file can be analyzed */
  async analyze(paths: readonly string[]): Promise<NewCaptures> {
    const analysis = await analysisOf(paths).catch((error: unknown) => {
      if (isExpected(error)) throw new ToolError(error.message);
      throw error;
    });
    const captures = capturesIn(analysis).map(({ sources: _sources, ...capture }) => {
      const open = { ...capture, id: `c${++this.#last}` };
      this.#open.set(open.id, open);
      return open;
    });
    this.#forget(captures);
    return { captures, notRead: notReadIn(analysis) };
  }

  /** @param id may be absent if one capture is open @throws ToolError */
  find(id: string | undefined): OpenCapture {
    const ids = [...this.#open.keys()];
    if (ids.length === 0)
      throw new ToolError("No capture is open. Call analyze_files with the paths of its files.");
    const only = ids.length === 1 ? ids[0] : undefined;
    const found = this.#open.get(id ?? only ?? "");
    if (found !== undefined) return found;
    if (id === undefined)
      throw new ToolError(
        `Several captures are open: ${ids.join(", ")}. Choose one with the argument capture.`,
      );
    const wasOpen = /^c\d+$/u.test(id) && Number(id.slice(1)) <= this.#last && id !== "c0";
    throw new ToolError(
      wasOpen
        ? `${id} isn't open any more: newer captures needed its memory. Call analyze_files with its files again.`
        : `No capture has the id ${id}. Open captures: ${ids.join(", ")}.`,
    );
  }

  /** Tables of one capture, or of all, for SQL; written with the first query. */
  async tables(id: string | undefined): Promise<SqlFileTable[]> {
    const wanted = id === undefined && this.#open.size > 0 ? [...this.#open.values()] : [this.find(id)];
    const ofEach: SqlFileTable[][] = [];
    for (const capture of wanted) {
      const written = this.#written.get(capture.id) ?? this.#write(capture);
      this.#written.set(capture.id, written);
      ofEach.push(await written);
    }
    return TABLES_AT_REST.map((name) => ({
      name,
      files: ofEach.flatMap((tables) => tables.find((table) => table.name === name)?.files ?? []),
      utc: ["utc"],
      // Texts of statements are never in an answer.
      ...(name === "commits" && { emptied: ["statement"] }),
    }));
  }

  async #write({ id, name, model, verdict, evidence }: OpenCapture): Promise<SqlFileTable[]> {
    const place = `capture=${id}`;
    const to = join(this.#folder, place);
    await mkdir(to, { recursive: true });
    const written = await writeTables({
      model,
      verdict,
      evidence,
      tables: TABLES_AT_REST,
      to,
      metadata: { capture: name },
    });
    return TABLES_AT_REST.filter((table) => `${table}.parquet` in written).map((table) => ({
      name: table,
      files: [`${place}/${table}.parquet`],
    }));
  }

  #forget(newest: readonly OpenCapture[]): void {
    let blocks = [...this.#open.values()].reduce((sum, { model }) => sum + model.blocks.length, 0);
    for (const [id, { model }] of this.#open) {
      if (blocks <= MOST_BLOCKS || newest.some((capture) => capture.id === id)) return;
      this.#open.delete(id);
      blocks -= model.blocks.length;
    }
  }
}

/** Skipped files, those to convert first, and damage in those that were read. */
function notReadIn({ captures, skipped, withoutEvents, evidence }: Analysis): string[] {
  const files = [...captures.flatMap(({ model }) => model.files), ...withoutEvents];
  const unconverted = (evidence?.files ?? []).filter(({ state }) => state === "convert");
  return [...skipped, ...unconverted.map(({ name, use }) => `${name}: ${use}`), ...files.flatMap(gapTexts)];
}

const gapTexts = ({ name, gaps }: Analysis["withoutEvents"][number]): string[] =>
  gaps.map(({ offset, message, eventsLost }) => {
    const lost = eventsLost === undefined ? "" : ` Events lost: ${eventsLost}.`;
    return `${name}: at byte ${offset}: ${message}${lost}`;
  });

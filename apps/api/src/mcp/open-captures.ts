/** Captures that were analyzed in this process, in its memory, and their tables in a temporary folder. */
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { isExpected, type Analysis } from "@aglens/ag-model/commands";
import { TABLES_AT_REST, type TableAtRest } from "@aglens/ag-model/tables";
import { analysisOf } from "@aglens/cli/saved";
import { capturesIn, type CaptureToWrite } from "@aglens/cli/tables";
import { unreadableText } from "xel-parser/commands";
import { writeTables } from "../dataset/capture-tables.ts";
import type { SqlTable } from "../sql/question.ts";
import { ToolError } from "./tool-error.ts";

/** A capture with the id by which an assistant refers to it. */
export interface OpenCapture extends Omit<CaptureToWrite, "sources"> {
  readonly id: string;
  /** Whether names of its files are paths that were read; those of a saved capture are only names. */
  readonly isOfFiles: boolean;
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
  readonly #written = new Map<string, Promise<string>>();
  #last = 0;
  /** Ends with the analysis before: two at once would need the memory of both. */
  #turn: Promise<unknown> = Promise.resolve();

  /** @param folder temporary folder for tables and the content of zips */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** @param signal the client doesn't want them any more @throws ToolError where no file can be analyzed */
  analyze(paths: readonly string[], signal: AbortSignal): Promise<NewCaptures> {
    const captures = this.#turn.then(() => this.#analyze(paths, signal));
    this.#turn = captures.catch(() => {});
    return captures;
  }

  async #analyze(paths: readonly string[], signal: AbortSignal): Promise<NewCaptures> {
    expectWanted(signal);
    // The client may end during an analysis: everything temporary is in the folder that is then deleted.
    const analysis = await analysisOf(paths, this.#folder).catch((error: unknown) => {
      if (isExpected(error)) throw new ToolError(error.message);
      throw error;
    });
    expectWanted(signal);
    const isOfFiles = !paths.some((path) => /\.aglens$/iu.test(path));
    const captures = capturesIn(analysis).map(({ sources: _sources, ...capture }) => {
      const open = { ...capture, id: `c${++this.#last}`, isOfFiles };
      this.#open.set(open.id, open);
      return open;
    });
    this.#forget(captures);
    return { captures, notRead: notReadIn(analysis) };
  }

  /** Ids of the open captures. */
  get ids(): readonly string[] {
    return [...this.#open.keys()];
  }

  /** @param id may be absent if one capture is open @throws ToolError */
  find(id: string | undefined): OpenCapture {
    const { ids } = this;
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

  /**
   * Tables of one capture, or of all, for a query. A table is written when a query names it first: of a large capture it
   * takes seconds.
   */
  async tables(id: string | undefined, sql: string): Promise<SqlTable[]> {
    const captures = id === undefined && this.#open.size > 0 ? [...this.#open.values()] : [this.find(id)];
    const text = sql.toLowerCase();
    const tables: SqlTable[] = [];
    for (const name of TABLES_AT_REST) {
      if (!text.includes(name)) {
        // The query can't read it. A refusal lists its name.
        tables.push({ name, columns: [], rows: [] });
        continue;
      }
      const files: string[] = [];
      for (const capture of captures) files.push(await this.#fileOf(capture, name));
      // Texts of statements are never in an answer.
      tables.push({ name, files, utc: ["utc"], ...(name === "commits" && { emptied: ["statement"] }) });
    }
    return tables;
  }

  /** Path of a table below the folder. */
  #fileOf(capture: OpenCapture, table: TableAtRest): Promise<string> {
    const path = pathOf(capture.id, table);
    const written = this.#written.get(path) ?? this.#write(capture, table).then(() => path);
    this.#written.set(path, written);
    return written;
  }

  async #write({ id, name, model, verdict, evidence }: OpenCapture, table: TableAtRest): Promise<void> {
    const to = join(this.#folder, `capture=${id}`);
    await mkdir(to, { recursive: true });
    const tables = [table];
    try {
      await writeTables({ model, verdict, evidence, tables, to, metadata: { capture: name } });
    } catch (error) {
      // A later query tries again, such as after the disk has space.
      this.#written.delete(pathOf(id, table));
      await rm(join(this.#folder, pathOf(id, table)), { force: true });
      const text = unreadableText("tables of the capture", error);
      throw text === undefined ? error : new ToolError(text);
    }
  }

  #forget(newest: readonly OpenCapture[]): void {
    let blocks = [...this.#open.values()].reduce((sum, { model }) => sum + model.blocks.length, 0);
    for (const [id, { model }] of this.#open) {
      if (blocks <= MOST_BLOCKS || newest.some((capture) => capture.id === id)) return;
      this.#open.delete(id);
      void rm(join(this.#folder, `capture=${id}`), { recursive: true, force: true });
      blocks -= model.blocks.length;
    }
  }
}

/** Captures that are not wanted any more would only take memory. @throws ToolError */
function expectWanted({ aborted }: AbortSignal): void {
  if (aborted) throw new ToolError("The analysis was canceled. Call analyze_files again.");
}

/** The file of a table below the folder. */
const pathOf = (id: string, table: TableAtRest): string => `capture=${id}/${table}.parquet`;

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

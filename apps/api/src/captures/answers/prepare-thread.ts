/**
 * Prepares an open capture's columns in threads of their own, so that the answering thread is free for questions
 * meanwhile (decision 223).
 */
import { availableParallelism } from "node:os";
import { prepareColumn, preparations } from "@aglens/ag-model/query";
import type { ColumnToPrepare, Preparation, PreparedColumn } from "@aglens/ag-model/query";
import type { CaptureModel } from "@aglens/ag-model/replication";
import { endAsked } from "../../threads/inside.ts";
import { Thread } from "../../threads/thread.ts";
import { DERIVED } from "../derived/derived-things.ts";

/** Messages of a thread that prepares columns (`prepare-worker.ts`). */
export interface PrepareMessages {
  readonly data: null;
  readonly toThread: ColumnToPrepare;
  readonly fromThread: PreparedColumn;
}

/** Resolves as soon as no question is being answered. */
export type UntilFree = () => Promise<void>;

/**
 * Prepares all columns, as many at a time as there are cores, until this thread is to end. Resolves also when another
 * thread broke: a question computes columns that are not prepared.
 * @param untilFree is awaited between columns
 * @returns columns to keep; null for a short capture and where some are not prepared
 */
export async function prepareColumns(
  model: CaptureModel,
  untilFree: UntilFree,
): Promise<readonly PreparedColumn[] | null> {
  if (!isLong(model)) {
    await prepareHere(preparations(model), untilFree);
    return null;
  }
  const prepared: PreparedColumn[] = [];
  const columns = recorded(preparations(model), prepared);
  await Promise.all(
    Array.from({ length: availableParallelism() }, () => prepareElsewhere(columns, untilFree)),
  );
  const isComplete = columns.next().done === true && Object.keys(prepared).length === prepared.length;
  return isComplete ? prepared : null;
}

/** The columns; each is also added to a list at its place once it is prepared. */
function* recorded(columns: Iterable<Preparation>, prepared: PreparedColumn[]): Generator<Preparation> {
  for (const column of columns) {
    const place = prepared.length++;
    yield {
      ...column,
      keep: (one) => {
        prepared[place] = one;
        column.keep(one);
      },
    };
  }
}

/** Whether the prepared columns of a capture are kept in a file. */
export const isLong = (model: CaptureModel): boolean => DERIVED["prepared columns"].isWorth?.(model) ?? true;

async function prepareHere(columns: Iterable<Preparation>, untilFree: UntilFree): Promise<void> {
  for (const column of columns) {
    if (endAsked()) return;
    column.keep(prepareColumn(column));
    await untilFree();
  }
}

async function prepareElsewhere(columns: Iterator<Preparation>, untilFree: UntilFree): Promise<void> {
  const thread = new Thread<PrepareMessages>("prepare", null);
  let answer = Promise.withResolvers<PreparedColumn | null>();
  thread.onMessage((prepared) => answer.resolve(prepared));
  thread.onEnd(() => answer.resolve(null));
  for (let next = columns.next(); next.done !== true && !endAsked(); next = columns.next()) {
    const { values, bins, keep } = next.value;
    // A copy: questions read the column meanwhile.
    const copy = values.slice();
    thread.send({ values: copy, bins }, [copy.buffer]);
    const prepared = await answer.promise;
    if (prepared === null) return;
    answer = Promise.withResolvers();
    keep(prepared);
    await untilFree();
  }
  await thread.end();
}

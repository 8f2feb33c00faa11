/** Captures with their sources and derived data. */
import type { Logger } from "pino";
import type { Analyzer } from "../captures/analysis/analyzer.ts";
import { openPaces } from "../captures/analysis/paces.ts";
import { AnswerThread } from "../captures/answers/answer-thread.ts";
import { Answers } from "../captures/answers/answers.ts";
import { isSmall, SharedAnswerThreads } from "../captures/answers/shared-answer-thread.ts";
import { Captures } from "../captures/captures.ts";
import { removeDeletedCopies } from "../captures/records/deleted-copies.ts";
import { Records } from "../captures/records/records.ts";
import { LeasedWork, WORK_TIMES } from "../captures/work/leased-work.ts";
import { Dataset } from "../dataset/dataset.ts";
import { writeTables } from "../dataset/write-tables.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Config } from "../settings/config.ts";
import type { ThreadActivity } from "../threads/thread-activity.ts";
import { Uploads } from "../uploads/uploads.ts";
import type { OneOfSeveral } from "./one-of-several.ts";
import type { RecordStores } from "./record-stores.ts";
import type { Stores } from "./stores.ts";

export interface CaptureServices {
  readonly captures: Captures;
  readonly uploads: Uploads;
  readonly answers: Answers;
  readonly dataset: Dataset;
}

interface CaptureServiceParts {
  readonly config: Config;
  readonly stores: Stores;
  readonly analyzer: Analyzer;
  readonly activity: ThreadActivity;
  readonly clock: Clock;
  readonly several: OneOfSeveral | undefined;
  readonly log: Logger;
}

/** Opens them, and repairs leftovers of an earlier process. @param closing closes opened parts */
export async function openCaptures(
  parts: CaptureServiceParts,
  closing: AsyncDisposableStack,
): Promise<CaptureServices> {
  const { config, stores, analyzer, activity, clock, several, log } = parts;
  const { space, files, shared } = stores;
  const { catalogue, others } = stores.records;
  const { blobs, lostAndFound } = files;
  const records = new Records(catalogue, others);
  const captures = new Captures({
    records,
    work: workOf(records, stores.records, several, log),
    catalogue,
    blobs,
    lostAndFound,
    // Deleting captures from a bucket frees no space on this disk; deleting cached copies does.
    space: shared === null ? space : { ...space, onShort: () => {} },
    analyzer,
    paces: await openPaces(config.dataDirectory, log),
    clock,
    limits: config,
    log,
  });
  closing.defer(() => captures.close());
  if (shared !== null) {
    space.onShort(() => shared.giveUp());
    void removeDeletedCopies(records, shared.copies, log);
  }
  const uploads = new Uploads({
    files: files.uploadFiles,
    captures,
    blobs,
    space,
    clock,
    limits: config,
    log,
  });
  closing.defer(() => uploads.close());
  await uploads.recover();
  await captures.recover();
  void uploads.finishWhole();
  const answers = openAnswers(captures, activity, log, closing);
  const dataset = new Dataset({
    isOn: config.keepsTables,
    store: files.dataset,
    records,
    blobs,
    heal: (id, stored, damage) => captures.analyses.heal(id, stored, damage),
    write: (request) => writeTables(request, activity),
    isQuiet: () => analyzer.load.analysing + analyzer.load.recognising === 0,
    clock,
    log,
  });
  closing.defer(() => dataset.close());
  await dataset.open();
  captures.alsoCount((id) => dataset.bytesOf(id));
  return { captures, uploads, answers, dataset };
}

function openAnswers(
  captures: Captures,
  activity: ThreadActivity,
  log: Logger,
  closing: AsyncDisposableStack,
): Answers {
  const beginAnswer = (): (() => void) => activity.begin("answers");
  const shared = new SharedAnswerThreads(beginAnswer);
  closing.defer(() => shared.close());
  const answers = new Answers(
    captures,
    (capture, onEnded, onDamage) =>
      isSmall(capture)
        ? shared.open(capture, onEnded)
        : new AnswerThread(capture, onEnded, beginAnswer, onDamage),
    log,
  );
  closing.defer(() => answers.close());
  return answers;
}

/** The work on captures: of this server alone, or of all that share the catalog. */
function workOf(
  records: Records,
  { openWork }: RecordStores,
  { name: server = "", times = WORK_TIMES }: Partial<OneOfSeveral> = {},
  log: Logger,
): LeasedWork {
  return new LeasedWork({ server, table: openWork(times), records, log, times });
}

/** A thread with one analyzed capture: answers questions about it, one after the other, until it is ended. */
import { prepareDistributions, takePrepared } from "@aglens/ag-model/query";
import type { PreparedColumn } from "@aglens/ag-model/query";
import { preparePredictions, prepareReplays } from "@aglens/ag-model/replay";
import type { CaptureModel } from "@aglens/ag-model/replication";
import { endAsked, starter } from "../../threads/inside.ts";
import { reportOn } from "./answer-report.ts";
import type { AnswerMessages } from "./answer-thread.ts";
import { readFirstAnswers } from "../derived/first-answers-file.ts";
import { FarReader } from "../kept/far-files.ts";
import { openModel } from "../kept/model-files.ts";
import { isLong, prepareColumns } from "./prepare-thread.ts";
import { openAt } from "../kept/random-access.ts";
import { readPrepared, writePrepared } from "../derived/prepared-file.ts";
import { validityOf } from "../derived/validity.ts";
import { isDamage } from "../kept/valid-sources.ts";
import { neededPart, questionAt, questionKey } from "@aglens/engine/answers";
import type { LatePart } from "@aglens/engine/answers";

const { data, send, onMessages } = starter<AnswerMessages>();
const opened = openModel(data.folder, data.stored?.files ?? {});
const model = opened.then((capture) => capture.model);
// Each question reports the damage of the parts that it needs.
model.catch(() => {});

const far = new FarReader(send);
/** The parts of the capture that are read so far. */
const there = new Set<LatePart>();
let answering: Promise<void> = Promise.resolve();
let eventsCome: Promise<void> | null = null;

/** Prepares the parts that some questions need, one after the other; a question that needs only earlier parts is answered meanwhile. */
async function prepare(): Promise<void> {
  const capture = await model;
  await untilFree();
  const validity = isLong(capture) ? validityOf("prepared columns", data) : null;
  const kept = validity === null ? null : await readPrepared(data.folder, validity);
  if (kept !== null) await takeKept(capture, kept);
  // Computing columns that are not kept takes many times as long as any question without them.
  isThere("bins", "ranks");
  await readEvents();
  const [made] = await Promise.all([
    kept === null ? prepareColumns(capture, untilFree) : null,
    inSteps(prepareDistributions(capture)),
  ]);
  await Promise.all([
    inSteps(isLong(capture) && (await isListKept()) ? prepareReplays(capture) : preparePredictions(capture)),
    made !== null && validity !== null ? writePrepared(data.folder, validity, made) : null,
  ]);
}

async function takeKept(capture: CaptureModel, kept: readonly PreparedColumn[]): Promise<void> {
  const steps = takePrepared(capture, kept);
  await untilFree();
  steps.next();
  isThere("bins");
  await untilFree();
  await inSteps(steps);
}

/** Reads the index of raw events, once. */
const readEvents = (): Promise<void> =>
  (eventsCome ??= withEvents()
    .catch(tellDamage)
    .then(() => isThere("events")));

/** Reports damage also when no question asks for events: otherwise the capture would look valid until one does. */
function tellDamage(error: unknown): void {
  if (isDamage(error)) send({ kind: "damage", problem: error.problem });
}

const withEvents = async (): Promise<CaptureModel> => (await opened).withEvents();

/** Whether the list of all predictions is stored: then no question for it reaches this thread. */
async function isListKept(): Promise<boolean> {
  const validity = validityOf("first answers", data);
  const kept = validity === null ? [] : await readFirstAnswers(data.folder, validity);
  const list = questionKey(questionAt("what-if"));
  return kept.some(({ key }) => key === list);
}

/** Questions that waited are asked again: some may be answered by now. */
function isThere(...parts: readonly LatePart[]): void {
  for (const part of parts) there.add(part);
  send({ kind: "askAgain" });
}

async function inSteps(steps: Iterator<void>): Promise<void> {
  while (!endAsked() && steps.next().done !== true) await untilFree();
}

/** A question that reads files has pauses: it is not to wait for a step in each of them, nor is one for the index that it needs. */
async function untilFree(): Promise<void> {
  // Begins the questions that arrived meanwhile.
  await new Promise(setImmediate);
  await answering;
  await eventsCome;
}

export function run(): void {
  // A damaged model is the answer to each question. A column that could not be prepared or kept makes later questions slower.
  void prepare()
    .catch(() => {})
    .then(() => isThere("events", "bins", "ranks", "predictions"));

  onMessages((message) => {
    if (message.kind !== "ask") return far.take(message);
    const { question, farSizes } = message;
    const from = (capture: CaptureModel) => {
      const needed = neededPart(capture, question);
      if (needed === "events") void readEvents();
      if (needed !== null && !there.has(needed)) return null;
      return needed === "events" ? withEvents() : capture;
    };
    const open = far.opener(farSizes, openAt(data.paths));
    answering = reportOn({ model, open }, question, from).then((report) => {
      send(report, report.kind === "answer" ? [report.answer.bytes.buffer as ArrayBuffer] : []);
    });
  });
}

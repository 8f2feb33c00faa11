/** A thread that holds one analysed capture and answers questions about it, one after the other, until it is ended. */
import { prepareDistributions } from "@aglens/ag-model/query";
import { preparePredictions, prepareReplays } from "@aglens/ag-model/replay";
import type { CaptureModel } from "@aglens/ag-model/replication";
import { endAsked, starter } from "../threads/inside.ts";
import { reportOn } from "./answer-report.ts";
import type { AnswerMessages } from "./answer-thread.ts";
import { readFirstAnswers } from "./first-answers-file.ts";
import { FarReader } from "./far-files.ts";
import { openModel } from "./model-files.ts";
import { isLong, prepareColumns, takePrepared } from "./prepare-thread.ts";
import { openAt } from "./random-access.ts";
import { readPrepared, tablesDigest, writePrepared } from "./prepared-file.ts";
import { isDamage } from "./soundness.ts";
import { questionAt, questionKey, readsEventIndex, waitsForPreparation } from "@aglens/engine/answers";
import type { Preparing } from "@aglens/engine/answers";

const { data, send, onMessages } = starter<AnswerMessages>();
const opened = openModel(data.folder, data.checksums);
const model = opened.then((capture) => capture.model);
// Each question reports what is wrong with what it needs.
model.catch(() => {});

const far = new FarReader(send);
let preparing: Preparing = "read";
let answering: Promise<void> = Promise.resolve();

/** What ranges need: read from its file or made, while questions that do not need it are answered. */
async function prepare(): Promise<void> {
  const capture = await model;
  const tables = isLong(capture) ? tablesDigest(data.checksums) : null;
  const kept = tables === null ? null : await readPrepared(data.folder, tables);
  await Promise.all([
    kept === null ? null : takePrepared(capture, kept, untilFree),
    withEvents().catch(tellDamage),
  ]);
  goOnTo("made");
  const [made] = await Promise.all([
    kept === null ? prepareColumns(capture, untilFree) : null,
    inSteps(prepareDistributions(capture)),
  ]);
  goOnTo("predicted");
  await Promise.all([
    inSteps((await isListKept(tables)) ? prepareReplays(capture) : preparePredictions(capture)),
    made !== null && tables !== null ? writePrepared(data.folder, tables, made) : null,
  ]);
  goOnTo("done");
}

/** Not only who asks for events is told: until somebody does, the capture would look sound. */
function tellDamage(error: unknown): void {
  if (isDamage(error)) send({ kind: "damage", problem: error.problem });
}

const withEvents = async (): Promise<CaptureModel> => (await opened).withEvents();

/** Whether the list of all predictions is kept, so that nobody asks this thread for it. @param tables `tablesDigest` */
async function isListKept(tables: string | null): Promise<boolean> {
  const kept = tables === null ? [] : await readFirstAnswers(data.folder, tables);
  const list = questionKey(questionAt("what-if"));
  return kept.some(({ key }) => key === list);
}

/** Questions that waited are asked again: some may be answered by now. */
function goOnTo(next: Preparing): void {
  preparing = next;
  send({ kind: "askAgain" });
}

async function inSteps(steps: Iterator<void>): Promise<void> {
  while (!endAsked() && steps.next().done !== true) await untilFree();
}

/** A question that reads files has pauses: it is not to wait for a step in each of them. */
async function untilFree(): Promise<void> {
  // Questions that came meanwhile are begun.
  await new Promise(setImmediate);
  await answering;
}

// What is wrong with the model is the answer to each question; what could not be prepared or kept costs later ones their time.
void prepare().catch(() => goOnTo("done"));

onMessages((message) => {
  if (message.kind !== "ask") return far.take(message);
  const { question, farSizes } = message;
  const from = (capture: CaptureModel) => {
    if (waitsForPreparation(capture, question, preparing)) return null;
    return readsEventIndex(question) ? withEvents() : capture;
  };
  const open = far.opener(farSizes, openAt(data.paths));
  answering = reportOn({ model, open }, question, from).then((report) => {
    send(report, report.kind === "answer" ? [report.answer.bytes.buffer as ArrayBuffer] : []);
  });
});

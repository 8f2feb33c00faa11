/** A thread that analyses ever more of the beginning of a capture, until somebody opens it; then it answers about that. */
import { readFile } from "node:fs/promises";
import { analyseBeginning, NO_VERDICT } from "@aglens/engine/analysis";
import type { AnalysedBeginning } from "@aglens/engine/analysis";
import type { Question } from "@aglens/engine/answers";
import { withUniqueNames } from "@aglens/engine/files";
import { xmlText } from "@aglens/ag-model/replication";
import { endAsked, starter, workBehindAnalyses, workInBackground } from "../threads/inside.ts";
import { reportOn } from "./answer-report.ts";
import type { AnswerReport } from "./answer-thread.ts";
import type { BeginningMessages } from "./beginning.ts";
import { decodeHere } from "./decode.ts";
import { openAt } from "./random-access.ts";

const { data, send, onMessages } = starter<BeginningMessages>();
workInBackground();

let shown: AnalysedBeginning | null = null;
/** Also seen in the middle of an analysis, which hears no messages. */
const isOpened = (): boolean => Atomics.load(data.opened, 0) === 1;

/** Twice as much each time, so that all together cost no more than twice the last one. */
async function grow(): Promise<void> {
  const { files, leastShare, mostShare } = data;
  const texts = await Promise.all(data.topologies.map(async (path) => xmlText(await readFile(path)) ?? ""));
  const wanted = {
    files,
    topologies: texts,
    decode: ({ path, size }: (typeof files)[number], name: string) =>
      decodeHere({ path, name, size }, stopWhereDone),
    checkpoint: stopWhereDone,
  };
  for (let share = leastShare; ; share = Math.min(2 * share, mostShare)) {
    // oxlint-disable-next-line no-await-in-loop -- each needs the memory of the one before
    const found = await analyseBeginning(wanted, share);
    stopWhereDone();
    if (found !== null) show(found);
    if (share >= mostShare) return;
  }
}

/** Thrown out of work that nobody needs any more. */
class Done extends Error {}

function stopWhereDone(): void {
  if (isOpened() || endAsked()) throw new Done();
}

function show(found: AnalysedBeginning): void {
  // The first is waited for; the others can wait themselves.
  if (shown === null) workBehindAnalyses();
  shown = found;
  const { summary, picture } = found;
  send({ kind: "grown", beginning: summary.beginning, picture }, [picture.buffer as ArrayBuffer]);
}

const open = openAt(
  Object.fromEntries(withUniqueNames(data.files).map(({ file, uniqueName }) => [uniqueName, file.path])),
);

async function answerTo(question: Question, { model }: AnalysedBeginning): Promise<AnswerReport> {
  const report = await reportOn({ model: Promise.resolve(model), open }, question);
  return question.ask === "scope" ? withoutVerdict(report) : report;
}

/** A verdict is on the whole. */
function withoutVerdict(report: AnswerReport): AnswerReport {
  if (report.kind !== "answer") return report;
  const { digest: _, ...given } = report.answer;
  const scope = JSON.parse(new TextDecoder().decode(given.bytes)) as object;
  const bytes = new TextEncoder().encode(JSON.stringify({ ...scope, verdict: NO_VERDICT }));
  return { kind: "answer", answer: { ...given, bytes } };
}

// Whatever fails here fails in the analysis of the whole too, which says why.
void grow().catch(() => {});

onMessages((message) => {
  if (shown === null) return;
  if (message !== "open") return void answerTo(message, shown).then((report) => send(report));
  send({ kind: "opened", summary: shown.summary });
});

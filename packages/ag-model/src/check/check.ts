/** Whether a capture is as the model expects, in counts without a name or id of a customer. */
import { plural } from "../words/words.ts";
import type { EventFile } from "../events/index.ts";
import type { CaptureModel } from "../replication/index.ts";
import {
  actionsExpectation,
  buffersExpectation,
  columnsExpectation,
  guidsExpectation,
  payloadExpectation,
  typesExpectation,
} from "./columns.ts";
import type { CaptureCheck, Expectation } from "./expectation.ts";
import { numbersExpectation } from "./numbers.ts";
import { factsOf, factsOfFiles, sumOf, type CaptureFacts } from "./facts.ts";
import {
  countersExpectation,
  fractionsExpectation,
  orderExpectation,
  ticksExpectation,
  unitsExpectation,
} from "./times.ts";
import { fileWritesExpectation } from "./file-writes.ts";
import {
  ackEndExpectation,
  blockEventsExpectation,
  blockIdsExpectation,
  mapsExpectation,
  modesExpectation,
  ownIdExpectation,
} from "./values.ts";

/** In the order in which they are shown. */
const CHECKS: readonly ((facts: CaptureFacts) => Expectation)[] = [
  columnsExpectation,
  typesExpectation,
  guidsExpectation,
  payloadExpectation,
  mapsExpectation,
  modesExpectation,
  blockEventsExpectation,
  blockIdsExpectation,
  ackEndExpectation,
  fileWritesExpectation,
  ownIdExpectation,
  orderExpectation,
  unitsExpectation,
  countersExpectation,
  fractionsExpectation,
  ticksExpectation,
  actionsExpectation,
  numbersExpectation,
  buffersExpectation,
];

/**
 * Checks the model's assumptions against the files of a capture. If an earlier version analyzed the capture, the facts
 * from reading its files are unknown: those expectations are absent.
 */
export const checkCapture = (model: CaptureModel): CaptureCheck => checkOf(factsOf(model));

/** The same for files that make no capture, without expectations that need the log blocks of all servers together. */
export const checkFiles = (files: readonly EventFile[]): CaptureCheck => checkOf(factsOfFiles(files));

function checkOf(facts: CaptureFacts): CaptureCheck {
  const expectations = CHECKS.map((check) => check(facts));
  return {
    events: sumOf(facts.files, ({ events }) => events),
    files: facts.files.length,
    unclaimedBytes: sumOf(facts.readings, ({ unclaimed }) => sumOf(unclaimed, ({ bytes }) => bytes)),
    expectations,
    sentence: sentenceOf(expectations),
  };
}

/**
 * Reason why results can't be trusted, as the first sentences of a verdict; null if every expectation that they depend
 * on is met.
 */
export function distrustOf({ expectations }: Pick<CaptureCheck, "expectations">): string | null {
  const failed = expectations.filter(({ state }) => state === "not");
  if (failed.length === 0) return null;
  const [worst] = failed;
  const checked = expectations.filter(({ state }) => state !== "absent").length;
  const how = plural(failed.length, "isn't", "aren't");
  return `${failed.length} of ${checked} expectations about these files ${how} met: ${worst.title}. Don't trust: ${worst.results}.`;
}

function sentenceOf(expectations: readonly Expectation[]): string {
  const distrust = distrustOf({ expectations });
  if (distrust !== null) return distrust;
  const checked = expectations.filter(({ state }) => state !== "absent").length;
  const part = expectations.filter(({ state }) => state === "part").length;
  if (checked === 0) return "Nothing could be checked: an earlier version of AG Lens analyzed these files.";
  if (part === 0) return `All ${checked} expectations are met.`;
  return `${checked - part} of ${checked} expectations are met, ${part} in part.`;
}

/** Texts of the library's rows: short verdicts, days, timestamps. */
import type { CaptureWait, LibraryCapture, LibraryView, Progress } from "@aglens/contract";
import { libraryTexts as texts } from "../../../messages/library.ts";
import { capitalised, formatPercent } from "../../../ui/words.ts";
import { draftText } from "../draft-text.ts";
import { phaseText } from "../progress/analysis-steps.tsx";
import { withoutP95 } from "../verdict-text.ts";

export const WAIT_NAMES: Readonly<Record<CaptureWait, string>> = {
  secondary: "Secondary",
  network: "Network",
  primary: "Primary",
  none: texts.noStageStandsOut,
  other: texts.anotherCause,
  unclear: texts.cantDetermine,
  analysing: texts.beingAnalyzed,
  unanalysed: texts.notAnalyzed,
};

export const VIEW_NAMES: Readonly<Record<LibraryView, string>> = {
  all: texts.allCaptures,
  mine: "Mine",
  shared: texts.sharedWithMe,
  expiring: texts.expireWithin7Days,
  trash: "Trash",
};

/**
 * The time at the beginning of a verdict (`diagnosis/when.ts`): in a narrow column it would leave no space for the
 * cause.
 */
const WHEN = /^(?:(.* times )between|Between|At) [\d:.]+(?: and [\d:.]+)?(?:, every [^,]+,)? /u;

/**
 * The verdict from its cause on, without the commits' p95, which has its own column. For a capture that is pending or
 * failed, the state is shown instead.
 */
export function shortVerdict(capture: LibraryCapture): string {
  const { state, verdict, progress, problem, files } = capture;
  if (state === "ready") return capitalised(withoutP95(verdict).replace(WHEN, "$1"));
  if (state === "analysing") return progressText(progress);
  if (state === "failed") return problem ?? texts.analysisFailed;
  if (capture.isDraft === true) return draftText(capture);
  return texts.filesNotAnalyzedYet(files);
}

function progressText(progress: LibraryCapture["progress"]): string {
  if (progress === null) return texts.waitsToBeAnalyzed;
  if (progress.place !== null) return texts.waitsToBeAnalyzedPlace(progress.place);
  const words = capitalised(phaseText(progress.phase as Progress["phase"]));
  return progress.phase === "decode" ? texts.read(words, formatPercent(progress.share)) : `${words}.`;
}

/**
 * An instant to the minute: `today 19:40`, `yesterday 21:23`, `2016-05-06 02:16`.
 * @param instant by the same clock as `now`, ISO 8601
 */
export function capturedText(instant: string, now: string): string {
  const day = instant.slice(0, 10);
  const time = instant.slice(11, 16);
  if (day === now.slice(0, 10)) return texts.today(time);
  return day === dayBefore(now) ? texts.yesterday(time) : `${day} ${time}`;
}

const DAY_MS = 86_400_000;

const dayBefore = (now: string): string =>
  new Date(Date.parse(`${now.slice(0, 10)}T00:00:00Z`) - DAY_MS).toISOString().slice(0, 10);

export interface DaysLeft {
  /** The shown number, without its unit. */
  readonly words: string;
  readonly unit: string;
  readonly isSoon: boolean;
}

const SOON_DAYS = 7;

/**
 * Whole days until an instant, rounded up; under 7 are soon. Null means that the capture is kept permanently. @param
 * now UTC, ISO 8601
 */
export function daysLeft(until: string | null, now: string): DaysLeft {
  if (until === null) return { words: "kept", unit: "", isSoon: false };
  const days = (Date.parse(until) - Date.parse(now)) / DAY_MS;
  const shown = Math.max(0, Math.ceil(days));
  return { words: String(shown), unit: texts.day(shown), isSoon: days < SOON_DAYS };
}

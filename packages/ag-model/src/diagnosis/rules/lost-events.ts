/** D15: lost events, when they were lost, and the figures that are unreliable because of it. */
import {
  Gate,
  type CaptureModel,
  type CountedLoss,
  type LossPlace,
} from "../../replication/shapes/tables.ts";
import { formatCount, formatPercent, plural } from "../../words/words.ts";
import { clockTimes } from "../when.ts";
import { countedLoss } from "./counted-loss.ts";
import type { FileBorder } from "./file-borders.ts";
import { lossesOf, missingBlocks, type Loss, type LostPeriod } from "./loss.ts";
import { replicaName } from "../paths.ts";
import { plainFinding } from "../plain-finding.ts";
import { sourceTerms } from "../source-terms.ts";
import type { Settings } from "../settings.ts";
import { unseenLog } from "./unseen-log.ts";
import type { Finding, Window } from "../verdict.ts";

/** Part of the lost events that bursts have to contain, so that a loss is attributed to them. */
const BURST_PART = 0.5;

export const lostEvents = (model: CaptureModel, settings: Settings): Finding[] => [
  ...lossesOf(model).flatMap((loss) =>
    loss.counted === null
      ? serverLoss(model, loss, settings)
      : countedServerLoss(model, loss, loss.counted, settings),
  ),
  // The numbers of the primary's events show how many are missing.
  ...(countedLoss(model, 0) === undefined ? blocksInNoFile(model) : []),
];

/** Lost events that event_sequence counts: one is a fact, where an estimate needs some. */
function countedServerLoss(
  model: CaptureModel,
  loss: Loss,
  { places, isPart }: CountedLoss,
  settings: Settings,
): Finding[] {
  const { replica, expected, lost, stretches: periods } = loss;
  if (lost === 0) return [];
  const { words, window } = timeOfPlaces(model, loss, places);
  const missing = periods.find(({ betweenFiles }) => betweenFiles !== null)?.betweenFiles;
  const isNotice = lost / expected >= settings.lostNoticeShare || periods.length > 0;
  // The events of a phase that are in files are not counted.
  const counted =
    isPart === true ? plural(lost, "# event") : `${formatCount(lost)} of ${formatCount(expected)} events`;
  const sentence = `By event_sequence, ${replicaName(model, replica)} lost exactly ${counted}${words}.`;
  const where = causesOf(places);
  return [
    lossFinding(model, isNotice ? "notice" : "none", `${sentence}${where} ${doubtful(model, loss, window)}`, {
      replica,
      window: window ?? { from: model.replicas[replica].from, to: model.replicas[replica].to },
      threshold: "any hole in event_sequence",
      ...(missing && { checkNext: missingFilesChecks(model, missing) }),
    }),
  ];
}

/** When counted events were lost, as the end of a sentence; without a window for the complete capture. */
function timeOfPlaces(
  model: CaptureModel,
  { replica, lost }: Loss,
  places: readonly LossPlace[],
): { readonly words: string; readonly window: Window | null } {
  if (places.length === 0) return { words: "", window: null };
  const all = around(places);
  const { from, to } = model.replicas[replica];
  if (all.to - all.from <= (to - from) * BURST_PART)
    return { words: ` between ${clockTimes(model, all)}`, window: all };
  const most = places.reduce((a, b) => (b.events > a.events ? b : a));
  if (most.events < BURST_PART * lost)
    return {
      words: ` in ${plural(places.length, "# place")}, all over ${sourceTerms(model).whole}`,
      window: null,
    };
  const window = { from: most.from, to: most.to };
  return {
    words: `, ${formatPercent(most.events / lost)} of those between ${clockTimes(model, window)}`,
    window,
  };
}

/** Why events are in no file, as a sentence; empty where the session dropped all. */
function causesOf(places: readonly LossPlace[]): string {
  const of = (cause: LossPlace["cause"]): number =>
    places.reduce((sum, place) => sum + (place.cause === cause ? place.events : 0), 0);
  const [dropped, damaged, missing] = [of("dropped"), of("damaged"), of("missingFile")];
  if (damaged + missing === 0) return "";
  const parts = [
    ...(missing > 0 ? [`${formatCount(missing)} are in missing rollover files`] : []),
    ...(damaged > 0 ? [`${formatCount(damaged)} in damaged or cut parts of files`] : []),
    ...(dropped > 0 ? [`the session dropped ${formatCount(dropped)}`] : []),
  ];
  const text = parts.join(", ");
  return ` ${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`;
}

function blocksInNoFile(model: CaptureModel): Finding[] {
  const { count, holes } = missingBlocks(model);
  if (count === 0) return [];
  const window = around(holes);
  const what = plural(count, "log block is", "log blocks are");
  const where = holes.length === 1 ? "there is a hole" : `there are ${formatCount(holes.length)} holes`;
  const sentence = `About ${formatCount(count)} ${what} ${sourceTerms(model).missing}: between ${clockTimes(model, window)} ${where} in the log.`;
  // A hole that all servers lost for a while has the same severity as a period that a single server lost.
  const severity = unseenLog(model).length > 0 ? "notice" : "none";
  return [lossFinding(model, severity, sentence, { window, threshold: "any hole in id + size" })];
}

function serverLoss(model: CaptureModel, loss: Loss, settings: Settings): Finding[] {
  const { replica, expected, lost, stretches: periods } = loss;
  const share = lost / expected;
  const isBetweenFiles = periods.some(({ betweenFiles }) => betweenFiles !== null);
  const missing = periods.find((period) => isMissingFile(model, period))?.betweenFiles;
  if (!isBetweenFiles && (lost < settings.lostEvents || !(share >= settings.lostShare))) return [];
  const when = timeOfLoss(model, loss);
  const part = `About ${formatPercent(share, 1)} of ${replicaName(model, replica)}'s events were lost`;
  return [
    lossFinding(
      model,
      share >= settings.lostNoticeShare || periods.length > 0 ? "notice" : "none",
      `${part}${when.words}. ${doubtful(model, loss, when.window)}`,
      {
        replica,
        window: when.window ?? { from: model.replicas[replica].from, to: model.replicas[replica].to },
        threshold: `over ${formatPercent(settings.lostShare, 1)} of the events that most blocks have`,
        ...(missing && { checkNext: missingFilesChecks(model, missing) }),
      },
    ),
  ];
}

/** When a server lost its events, as the end of a sentence; without a window for the complete capture. */
function timeOfLoss(
  model: CaptureModel,
  { lost, stretches: periods, bursts }: Loss,
): { readonly words: string; readonly window: Window | null } {
  const files = periods.filter((period) => isMissingFile(model, period));
  const whole = files.length > 0 ? files : periods;
  if (whole.length > 0) {
    const more =
      whole.length > 1 ? ` and in ${whole.length - 1} more ${whole.length === 2 ? "period" : "periods"}` : "";
    const times = `between ${clockTimes(model, whole[0])}${more}`;
    const words =
      files.length > 0
        ? `: it has no file ${times} (rollover files are missing)`
        : `: no events exist ${times}`;
    return { words, window: around(whole) };
  }
  const inBursts = bursts.reduce((sum, burst) => sum + burst.lost, 0);
  if (inBursts < BURST_PART * lost) return { words: `, all over ${sourceTerms(model).whole}`, window: null };
  const window = around(bursts);
  const where = bursts.length > 1 ? ` in ${bursts.length} periods` : "";
  const words = `, ${formatPercent(inBursts / lost)} of those${where} between ${clockTimes(model, window)}`;
  return { words, window };
}

/** Data that the loss makes uncertain: blocks with estimates, and commits whose release is not known. */
function doubtful(model: CaptureModel, { rows, ...loss }: Loss, window: Window | null): string {
  const { time } = model.blocks;
  const isInside = (us: number): boolean => window === null || (us >= window.from && us <= window.to);
  const all = time.reduce((sum, us) => sum + (isInside(us) ? 1 : 0), 0);
  const lossy = rows.filter((row) => isInside(time[row])).length;
  const where = window === null ? "" : " there";
  const blocks = `${formatCount(lossy)} of ${formatCount(all)} log blocks${where} have estimated or missing timestamps`;
  return `${blocks}${doubtfulCommits(model, loss, isInside)}. Figures exclude them.`;
}

function doubtfulCommits(
  model: CaptureModel,
  { replica, stretches: periods }: Pick<Loss, "replica" | "stretches">,
  isInside: (us: number) => boolean,
): string {
  if (replica === 0 && periods.length > 0)
    return `, and the commits in that period are ${sourceTerms(model).missing}`;
  const { commits } = model;
  let [released, unknown] = [0, 0];
  for (let c = 0; c < commits.length; c++) {
    if (!isInside(commits.start[c])) continue;
    released++;
    if (commits.gate[c] === Gate.unknown) unknown++;
  }
  if (unknown === 0) return "";
  return `, and the releasing event of ${formatCount(unknown)} of ${formatCount(released)} commits is unknown`;
}

const around = (windows: readonly Window[]): Window => ({
  from: Math.min(...windows.map(({ from }) => from)),
  to: Math.max(...windows.map(({ to }) => to)),
});

/**
 * Whether files are missing there; if a part of one of the two adjacent files cannot be read, that part may be the
 * missing time.
 */
const isMissingFile = ({ files }: CaptureModel, { betweenFiles }: LostPeriod): boolean =>
  betweenFiles !== null &&
  [betweenFiles.before, betweenFiles.behind].every((file) => files[file].gaps.length === 0);

/** The check names the files on both sides of the missing ones. */
function missingFilesChecks({ files }: CaptureModel, border: FileBorder): string[] {
  const [before, behind] = [border.before, border.behind].map((file) => withoutFolder(files[file].name));
  return [
    `Look for rollover files between ${before} and ${behind} in the session's target folder, which were not copied or not provided`,
    "Increase max_rollover_files or max_file_size of the session: older files are deleted",
  ];
}

const withoutFolder = (name: string): string => name.slice(name.lastIndexOf("/") + 1);

const lossFinding = (
  model: CaptureModel,
  severity: Finding["severity"],
  sentence: string,
  more: Partial<Finding>,
): Finding =>
  plainFinding("D15", "lost_events", severity, sentence, {
    source: "AG Lens default",
    checkNext: [...sourceTerms(model).lossChecks],
    ...more,
  });

/** D13: files of several recordings, hours apart, that were opened together. */
import { formatCount, formatDayAndTime, formatDuration } from "../../words/words.ts";
import type { CaptureModel } from "../../replication/shapes/tables.ts";
import { fileBorders } from "./file-borders.ts";
import type { Window } from "../verdict.ts";

/** A continuous recording has an event within this time, or one file that covers it, µs. */
const APART_US = 3_600_000_000;

/** A sentence on recordings that are an hour or more apart, and its next checks; null for one recording. */
export function recordedPeriods(
  model: CaptureModel,
): { readonly sentence: string; readonly checkNext: readonly string[] } | null {
  const gaps = commonGaps(model);
  if (gaps.length === 0) return null;
  const longest = Math.max(...gaps.map(({ from, to }) => to - from));
  const distance = gaps.length === 1 ? formatDuration(longest) : `up to ${formatDuration(longest)}`;
  return {
    sentence: `The files contain ${formatCount(gaps.length + 1)} periods, ${distance} apart, and figures mix them. Analyze the files of each period separately.`,
    checkNext: gaps.map(
      ({ from, to }) =>
        `Choose files up to ${formatDayAndTime(model.origin, from)}, or files from ${formatDayAndTime(model.origin, to)} on`,
    ),
  };
}

/** Times of an hour or more between two files of each server, in which no server has an event. */
function commonGaps(model: CaptureModel): Window[] {
  const [first = [], ...others] = fileBorders(model)
    .filter((_, replica) => model.replicas[replica].hasCapture)
    .map((own): Window[] => own.filter(({ from, to }) => to - from >= APART_US));
  return others.reduce((common, own) => common.flatMap((a) => own.flatMap((b) => overlapOf(a, b))), first);
}

function overlapOf(a: Window, b: Window): Window[] {
  const [from, to] = [Math.max(a.from, b.from), Math.min(a.to, b.to)];
  return to - from >= APART_US ? [{ from, to }] : [];
}

import type { CaptureFile } from "@aglens/contract";
import { folderTexts as texts } from "../../../messages/folder.ts";
import { offsetName, type Zone } from "../../../ui/zone.ts";
import { rangeText } from "../files-text.ts";

/** `88 events, 02:16:30.0 to 02:19:30.0 UTC`: the content of these files, as far as their receipt shows it. */
export function figuresText(files: readonly CaptureFile[], zone: Zone): string {
  const sum = (of: (file: CaptureFile) => number): number => files.reduce((all, file) => all + of(file), 0);
  const events = sum(({ evidenceFile, events }) => evidenceFile?.events ?? events);
  const samples = sum(({ evidenceFile }) => evidenceFile?.samples ?? 0);
  const isTimed = files.some(({ from, to }) => from !== null && to !== null);
  return [
    ...(events === 0 ? [] : [texts.event(events)]),
    ...(samples === 0 ? [] : [texts.sample(samples)]),
    ...(isTimed ? [rangeText(files, zone)] : []),
    ...offsetTexts(files),
  ].join(", ");
}

/** The offset of local times, where all files have the same one. */
function offsetTexts(files: readonly CaptureFile[]): string[] {
  const found = files.flatMap(({ evidenceFile, given }) => {
    if (given.utcOffsetMinutes !== undefined) return [texts.chosen(offsetName(given.utcOffsetMinutes))];
    const minutes = evidenceFile?.utcOffsetMinutes ?? null;
    return minutes === null ? [] : [texts.fromTheFile(offsetName(minutes))];
  });
  const different = new Set(found);
  return different.size === 1 ? [...different] : [];
}

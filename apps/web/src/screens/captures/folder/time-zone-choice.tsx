import type { ReactNode } from "react";
import type { CaptureFile } from "@aglens/contract";
import { folderTexts as texts } from "../../../messages/folder.ts";
import { offsetName } from "../../../ui/zone.ts";
import { useDraft } from "../sending/draft.ts";

/** Offsets of zones that are not full hours. */
const PART_HOURS = [-570, -210, -150, 210, 270, 330, 345, 390, 525, 570, 630, 765, 825];
const HOURS = Array.from({ length: 27 }, (_, i) => (i - 12) * 60);
const OFFSETS = [...HOURS, ...PART_HOURS].toSorted((a, b) => a - b);

interface Props {
  /** Files of one server. */
  readonly files: readonly CaptureFile[];
  readonly names: string;
}

/** Choice of the time zone of files that don't state it. */
export function TimeZoneChoice({ files, names }: Props): ReactNode {
  const correct = useDraft((draft) => draft.correct);
  const given = files[0]?.given.utcOffsetMinutes;
  const choose = async (utcOffsetMinutes: number): Promise<void> => {
    for (const { id } of files) await correct(id, { utcOffsetMinutes });
  };
  return (
    <select
      aria-label={texts.timeZoneOf(names)}
      value={given ?? ""}
      onChange={(event) => void choose(Number(event.target.value))}
    >
      <option value="" disabled>
        {texts.chooseTimeZone}
      </option>
      {OFFSETS.map((minutes) => (
        <option key={minutes} value={minutes}>
          {offsetName(minutes)}
        </option>
      ))}
    </select>
  );
}

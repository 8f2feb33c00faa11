/** Entries of the search box: places of the capture, and commands. */
import type { FoundBlocks } from "@aglens/contract";
import { pagesTexts as texts } from "../messages/pages.ts";
import type { OpenCapture } from "../screens/capture-view/capture-context.ts";
import type { KeyId } from "../ui/keymap.ts";
import { formatOffset, formatTime } from "../ui/words.ts";
import { commandsOf, matchingCommands } from "./commands.ts";
import type { Found } from "./use-found.ts";

/** One entry of the list. */
export interface SearchHit {
  readonly key: string;
  readonly label: string;
  readonly note: string;
  /** The label is words, not an LSN or a time. */
  readonly words?: boolean;
  /** Entries of a group follow each other below its name. */
  readonly group: string;
  /** Number of blocks that it matches; empty for a place or a command. */
  readonly count?: string;
  /** Text that Tab puts into the box; without it the label. */
  readonly completes?: string;
  readonly open: () => void;
}

/** Time around an instant that is shown when the view is not zoomed, µs. */
const AROUND_US = 2e6;

/** Commands whose words the text begins. */
export function commandsFound(
  text: string,
  capture: OpenCapture,
  actions: Partial<Record<KeyId, () => void>>,
): SearchHit[] {
  return matchingCommands(commandsOf(capture, actions), text).map(({ key, words, note, run }) => ({
    key,
    label: words,
    note,
    words: true,
    group: "Commands",
    open: run,
  }));
}

/** Blocks and instants that the text matches; empty while the answer is unknown. */
export function placesFound(found: Found | null, { summary, view, open }: OpenCapture): SearchHit[] {
  if (found === null) return [];
  const { instant: at, from, blocks } = found;
  const when = (us: number): string => `${formatTime(summary, us)}, ${formatOffset(summary, us)}`;
  const around = (us: number): readonly [number, number] => {
    const span =
      view.range === null ? Math.min(AROUND_US, summary.durationUs) : view.range[1] - view.range[0];
    const start = Math.min(Math.max(0, us - span / 2), Math.max(0, summary.durationUs - span));
    return [start, start + span];
  };
  const database = (index: number): string =>
    summary.databases.length > 1 ? `, ${summary.databases[index]?.name ?? "?"}` : "";
  const block = ({ row, lsn, time, database: db }: FoundBlocks["rows"][number]): SearchHit[] => [
    {
      key: `sequence-${row}`,
      group: texts.goTo,
      label: lsn,
      note: texts.sequence(when(time), database(db)),
      open: () => open("sequence", { block: row }),
    },
    {
      key: `timeline-${row}`,
      group: texts.goTo,
      label: lsn,
      note: texts.timelinePart(when(time), database(db)),
      open: () => open("timeline", { block: row, range: around(time) }),
    },
  ];
  const instant: SearchHit[] =
    at === null
      ? []
      : [
          {
            key: "time",
            group: texts.goTo,
            label: formatTime(summary, at),
            note: texts.timelineAt(formatOffset(summary, at)),
            open: () => open("timeline", { range: around(at) }),
          },
        ];
  return [
    ...blocks.flatMap(block),
    ...instant,
    ...from.slice(0, 1).map(({ row, lsn, time }) => ({
      key: `next-${row}`,
      group: texts.goTo,
      label: lsn,
      note: texts.sequenceOfTheFirst(formatOffset(summary, time)),
      open: () => open("sequence", { block: row }),
    })),
  ];
}

import { useState } from "react";
import type { RawEvent } from "@aglens/contract";
import { useAnswer } from "../../data/use-answer.ts";
import { useCapture } from "../capture-view/capture-context.ts";
import { type EventList, useFilter } from "./use-event-list.ts";

export interface ChosenEvent {
  /** Its row; -1 without an event. */
  readonly row: number;
  /** Undefined without an event, or while it is being loaded. */
  readonly event: RawEvent | undefined;
  readonly choose: (row: number) => void;
}

/** The event whose fields are shown: the chosen one, else the link's, else the first of the selected block. */
export function useChosenEvent(list: EventList): ChosenEvent {
  const { setView } = useCapture();
  const [chosen, setChosen] = useState<{ readonly key: string; readonly row: number } | null>(null);
  const isOfThisList = chosen?.key === list.key;
  const placed = usePlacedRow(list, !isOfThisList);
  const row = isOfThisList ? chosen.row : placed;
  return {
    row,
    event: row < 0 ? undefined : list.rowAt(row),
    choose: (next) => {
      const event = list.rowAt(next);
      setChosen({ key: list.key, row: next });
      if (event === undefined) return;
      const { fileIndex: file, offset, block } = event;
      setView({ event: { file, offset }, block }, "replace");
    },
  };
}

/** Row of the view's event or block in the list; -1 where the list does not contain it. */
function usePlacedRow(list: EventList, isWanted: boolean): number {
  const { source, view } = useCapture();
  const filter = useFilter();
  const { event, block } = view;
  const first = event ?? (block === null ? null : { block });
  const isSearch = list.read !== null;
  const question =
    isWanted && first !== null && !isSearch
      ? source.rawEvents({ ...filter, names: [], text: "", where: null, first, read: 1 })
      : null;
  const { value } = useAnswer(question, { keepsValue: false });
  if (!isWanted || first === null) return -1;
  if (isSearch) return foundRow(list, (one) => isThat(one, first));
  const at = value?.events[0];
  return at !== undefined && isThat(at, first) ? at.position : -1;
}

type First = { readonly file: number; readonly offset: number } | { readonly block: number };

const isThat = (event: RawEvent, first: First): boolean =>
  "block" in first
    ? event.block === first.block
    : event.fileIndex === first.file && event.offset === first.offset;

function foundRow({ rows, rowAt }: EventList, isWanted: (event: RawEvent) => boolean): number {
  for (let row = 0; row < rows; row++) {
    const event = rowAt(row);
    if (event !== undefined && isWanted(event)) return row;
  }
  return -1;
}

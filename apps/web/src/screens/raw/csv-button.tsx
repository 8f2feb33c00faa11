import { type ReactNode, useEffect, useRef, useState } from "react";
import { fileName, saveFile } from "../../frame/save-file.ts";
import { isAbort, sentenceOf } from "../../data/problem.ts";
import { rawTexts as texts } from "../../messages/raw.ts";
import { Button } from "../../ui/controls.tsx";
import { formatCount, formatPercent } from "../../ui/words.ts";
import { useCapture } from "../capture-view/capture-context.ts";
import { filterInName, shownFilter } from "../capture-view/table-file.ts";
import { type EventsCsv, writeEventsCsv } from "./events-csv.ts";
import type { Filter } from "./use-event-list.ts";

/** Saves the listed events as CSV. Each filter has its own button, so that another filter cancels a running export. */
export function CsvButton({ filter }: { readonly filter: Filter }): ReactNode {
  const { source, summary, view } = useCapture();
  const [share, setShare] = useState<number | null>(null);
  const [said, setSaid] = useState("");
  const running = useRef<AbortController | null>(null);
  const stop = (): void => {
    running.current?.abort();
    setShare(null);
  };
  useEffect(() => () => running.current?.abort(), []);
  const write = async (): Promise<void> => {
    const abort = (running.current = new AbortController());
    const { signal } = abort;
    setSaid("");
    setShare(0);
    try {
      const csv = await writeEventsCsv(source, summary, filter, signal, setShare);
      const name = `${fileName(texts.events(summary.name, filterInName(shownFilter({ summary, view }))))}.csv`;
      saveFile({ name, type: "text/csv", content: csv.content });
      setSaid(savedText(csv));
    } catch (error) {
      if (!isAbort(error)) setSaid(sentenceOf(error));
    }
    if (running.current === abort) setShare(null);
  };
  return (
    <>
      {share === null ? (
        <Button title={texts.saveTheListedEvents} onClick={() => void write()}>
          CSV
        </Button>
      ) : (
        <Button onClick={stop}>{texts.stopWritingCsv(formatPercent(share))}</Button>
      )}
      <span aria-live="polite">{said}</span>
    </>
  );
}

/** `9 events saved`, and the listed events that are not in the file. */
export function savedText({ rows, cutBy, read, total, unreadable }: Omit<EventsCsv, "content">): string {
  const saved = texts.saved(rows);
  const cut = {
    none: "",
    rows: texts.mostThatOneFile,
    read: texts.ofTheFirst(formatCount(read), formatCount(total)),
  }[cutBy];
  return `${saved}${cut}${unreadable === 0 ? "" : texts.couldNotBeRead(formatCount(unreadable))}`;
}

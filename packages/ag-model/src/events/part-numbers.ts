/** Joins texts and files of events that arrive in several parts, each with a list of its own. */
import { numberOf, TEXT_COLUMNS, type EventColumns, type EventFile, type TextColumn } from "./columns.ts";

/** Numbers the texts and files of all parts in one list. */
export class PartNumbers {
  readonly texts: string[] = [""];
  readonly files: EventFile[] = [];
  readonly #numbers = new Map<string, number>([["", 0]]);

  /** @param leftOut texts that events lose */
  constructor(leftOut: Iterable<string> = []) {
    for (const text of leftOut) this.#numbers.set(text, 0);
  }

  /** @returns a function that renumbers events of the next part; they have no files of their own then */
  next(part: Pick<EventColumns, "texts" | "files">): (events: EventColumns) => EventColumns {
    const { texts } = this;
    const renumber = Uint16Array.from(part.texts, (text) => numberOf(text, texts, this.#numbers));
    const firstFile = this.files.length;
    this.files.push(...part.files);
    const isSame = renumber.every((number, own) => number === own);
    return (events) => {
      const file = firstFile === 0 ? events.file : events.file.map((own) => firstFile + own);
      if (isSame) return { ...events, texts, file, files: [] };
      const numbers = TEXT_COLUMNS.map((name) => [name, events[name].map((own) => renumber[own])] as const);
      return {
        ...events,
        ...(Object.fromEntries(numbers) as Pick<EventColumns, TextColumn>),
        texts,
        file,
        files: [],
      };
    };
  }
}

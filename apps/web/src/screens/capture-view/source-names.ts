import type { HappenedEvent } from "@aglens/contract";
import { happenedTexts as texts } from "../../messages/happened.ts";
import { durationText } from "../../ui/words.ts";

type Source = HappenedEvent["sources"][number];

/** Kinds of files in their names, as SQL Server and its tools write them. */
const KIND_IN_NAME = /AlwaysOn_health|system_health|SQLDIAG|ERRORLOG(?:\.\d+)?/iu;

/** Name of a file without its folders. */
export const fileName = (path: string): string =>
  path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1);

/** Short name of a file for a table: its kind where its name has one. */
export const shortFileName = (path: string): string => KIND_IN_NAME.exec(path)?.[0] ?? fileName(path);

/** Line of a text, or number of an event in an event file. */
export const placeText = ({ file, place }: Pick<Source, "file" | "place">): string =>
  /\.xel$/iu.test(file) ? texts.eventNumber(place) : texts.lineNumber(place);

/** Uncertainty of a time. */
export const plusMinusText = ({ plusMinusUs }: Pick<Source, "plusMinusUs">): string =>
  `±${durationText(plusMinusUs)}`;

/** The only file, or the number of files. */
export function sourcesText({ sources }: Pick<HappenedEvent, "sources">): string {
  const files = new Set(sources.map(({ file }) => file));
  const [only] = files;
  return files.size === 1 && only !== undefined ? shortFileName(only) : texts.sources(files.size);
}

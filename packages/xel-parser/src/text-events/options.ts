import type { ReadLimits } from "../format/index.ts";
import type { TypeOf } from "./values.ts";

/** Kind of text in a file with events. */
export type TextKind = "xml" | "csv";

/** How a text is read. */
export interface ReadTextOptions {
  /** Types of fields, for texts without them. Without a type, the form of a value decides. */
  readonly typeOf?: TypeOf;
  /** Called after each chunk. */
  onProgress?(bytesDone: number, events: number): void;
  /** Limits that differ from the defaults; only `valueBytes` and `gaps` apply to text. */
  readonly limits?: Partial<ReadLimits>;
}

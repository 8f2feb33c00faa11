/** Apart from the command, which imports Arrow: the program needs the options for its help. */
import type { CommandOptions } from "xel-parser/commands";

/** Options of `xel tables` for raw events. */
export const EVENT_TABLE_OPTIONS = {
  out: { type: "string", value: "DIR", about: "folder to write into, required" },
  parquet: { type: "boolean", about: "short for --format parquet" },
  events: { type: "boolean", about: "the events as they are, a table per event type" },
  event: {
    type: "string",
    multiple: true,
    value: "NAME",
    about: "the same of events of this name only; can be repeated",
  },
  force: { type: "boolean", about: "also files of a format version that is not known" },
} as const satisfies CommandOptions;

/** Marks of a live run in their stored form: in its notes, and next to the files of the capture that it becomes. */
import { z } from "zod";
import type { RecordedMark } from "../../store/catalog.ts";

export type { RecordedMark };

export const RecordedMarks: z.ZodType<RecordedMark[]> = z.array(
  z.object({ ticks: z.string().regex(/^\d{1,20}$/u), label: z.string(), byRule: z.boolean() }),
);

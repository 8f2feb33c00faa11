/** Notes of users about a range of a capture or about one of its log blocks. */
import { shownText } from "../shown-text.ts";
import { z } from "../zod.ts";

/** UTF-16 units of a note's text. */
export const MOST_NOTE_TEXT = 140;
/** Characters of an author's name. */
export const LONGEST_AUTHOR = 60;
/** Notes of one capture. */
export const MOST_NOTES = 200;

/**
 * UTC on the primary's clock as FILETIME ticks of 100 ns, a decimal string: time 0 of a capture moves when files are added.
 */
const Ticks = z.string().regex(/^\d{1,19}$/u);

const NoteOn = z.object({
  /** First instant; of a log block its beginning. */
  fromTicks: Ticks,
  toTicks: Ticks,
  /** LSN of the note's log block, as screens show it; null for a note about a range. */
  lsn: z
    .string()
    .regex(/^[\da-f]{8}:[\da-f]{8}$/u)
    .nullable(),
});

export const Note = NoteOn.extend({
  id: z.string(),
  text: z.string(),
  /** When the text was written, UTC, ISO 8601. */
  written: z.string(),
  /** Name of the author; absent where none was entered. */
  author: z.string().optional(),
  /** Whether the user may change and delete it; absent where that is unknown. */
  mayChange: z.boolean().optional(),
});
export type Note = z.infer<typeof Note>;

/** In the order of their first instants. */
export const Notes = z.object({ notes: z.array(Note) });
export type Notes = z.infer<typeof Notes>;

export const NoteText = z.object({ text: shownText(MOST_NOTE_TEXT) });

export const NewNote = NoteOn.extend(NoteText.shape)
  .extend({
    /** Name that the author enters on a server without sign-in. */
    author: shownText(LONGEST_AUTHOR).optional(),
  })
  .refine(({ fromTicks, toTicks }) => BigInt(fromTicks) <= BigInt(toTicks), {
    message: "The end of a note can't be before its start.",
  });
export type NewNote = z.infer<typeof NewNote>;

import { withoutHiddenCharacters } from "@aglens/ag-model/replication";
import { z } from "./zod.ts";

/**
 * A name that a user gives: on one line, without characters that cannot be seen or turn text around, 1 to `most` long.
 */
export const shownText = (most: number): z.ZodString =>
  z.string().overwrite(withoutHiddenCharacters).trim().min(1).max(most);

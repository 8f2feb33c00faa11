/** The name that a user enters for their notes on a server without sign-in; kept in this browser. */
import { keepText, keptText } from "../browser-storage.ts";

const KEY = "aglens-author";

/** Empty before one was entered, and where the browser keeps no data. */
export const authorName = (): string => keptText(KEY) ?? "";

/** Without storage it is entered again with the next note. */
export const rememberAuthorName = (name: string): boolean => keepText(KEY, name);

import { keepText, keptText } from "../browser-storage.ts";

const KEY = "ag-lens.tour";

/** Whether to offer the tour of the sample: once on each browser, and never where that can't be remembered. */
export const isTourOffered = (): boolean => keptText(KEY) === null && keepText(KEY, "offered");

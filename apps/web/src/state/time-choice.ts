import { keepText, keptText } from "../browser-storage.ts";
import { useSyncExternalStore } from "react";

/** A clock, or offsets from the start of the capture. */
export const TIME_CHOICES = ["utc", "server", "browser", "offset"] as const;
export type TimeChoice = (typeof TIME_CHOICES)[number];

const KEY = "ag-lens.time";
const listeners = new Set<() => void>();

/** Format of times that was last used on this browser, otherwise UTC. */
const rememberedTime = (): TimeChoice => TIME_CHOICES.find((choice) => choice === keptText(KEY)) ?? "utc";

/** Keeps the choice for lists, for links without a choice, and for the next visit. */
export function rememberTime(choice: TimeChoice): void {
  keepText(KEY, choice);
  for (const listener of listeners) listener();
}

/** Format of times where the link does not set one. */
export const useRememberedTime = (): TimeChoice => useSyncExternalStore(listen, rememberedTime);

function listen(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

import { keepText, keptText } from "../browser-storage.ts";
import { useSyncExternalStore } from "react";

/** A clock, or offsets from the start of the capture. */
export const TIME_CHOICES = ["utc", "server", "browser", "offset"] as const;
export type TimeChoice = (typeof TIME_CHOICES)[number];

const KEY = "ag-lens.time";
const listeners = new Set<() => void>();

/** How times were shown last on this browser, else as UTC. */
const rememberedTime = (): TimeChoice => TIME_CHOICES.find((choice) => choice === keptText(KEY)) ?? "utc";

/** Keeps the choice for lists, for links without one, and for the next visit. */
export function rememberTime(choice: TimeChoice): void {
  keepText(KEY, choice);
  for (const listener of listeners) listener();
}

/** How times are shown where no link says it. */
export const useRememberedTime = (): TimeChoice => useSyncExternalStore(listen, rememberedTime);

function listen(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

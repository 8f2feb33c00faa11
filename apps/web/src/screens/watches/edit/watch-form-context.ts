import { createContext, use } from "react";
import type { Watch, Watches } from "@aglens/contract";
import type { RightsChecks } from "./use-rights.ts";
import type { ReadForm, WatchForm } from "./watch-form.ts";

/** The form of a watch as its sections share it. */
export interface OpenWatchForm {
  /** Null for a new watch. */
  readonly watch: Watch | null;
  readonly form: WatchForm;
  readonly read: ReadForm;
  readonly checks: RightsChecks;
  readonly change: (part: Partial<WatchForm>) => void;
  /** Why a field can't be used; null where it can. */
  readonly problemAt: (field: string) => string | null;
  readonly logins: Watches["logins"];
  readonly receivers: Watches["receivers"];
}

export const WatchFormContext = createContext<OpenWatchForm | null>(null);

export function useWatchForm(): OpenWatchForm {
  const open = use(WatchFormContext);
  if (open === null) throw new Error("No form of a watch is open.");
  return open;
}

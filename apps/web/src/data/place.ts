/** Place where files are read and analyzed: on the server of the page, or in this browser. */
import { keepText, keptText } from "../browser-storage.ts";
import { create } from "zustand";
import { IS_ALONE } from "../alone.ts";
import { isLocalId } from "./local-server.ts";

export type Place = "server" | "browser";

const KEY = "aglens-place";

interface ChosenPlace {
  readonly place: Place;
  readonly choose: (place: Place) => void;
}

/** The choice for captures that are begun from now on; the browser remembers it. */
export const usePlace = create<ChosenPlace>()((set) => ({
  place: IS_ALONE || keptText(KEY) === "browser" ? "browser" : "server",
  choose: (place) => {
    set({ place });
    keepText(KEY, place);
  },
}));

/** Captures of a place: created there by POST, listed by GET. */
export const capturesPath = (place: Place): string => (place === "browser" ? LOCAL_CAPTURES : "/captures");

const LOCAL_CAPTURES = "/local-captures";
const CAPTURE = /^\/captures\/([^/?]+)/u;

/** Whether a request is answered in this browser. @param path below the API's own path */
export function isAnsweredHere(path: string): boolean {
  if (IS_ALONE || path.startsWith(LOCAL_CAPTURES)) return true;
  const id = CAPTURE.exec(path)?.[1];
  return id !== undefined && isLocalId(decodeURIComponent(id));
}

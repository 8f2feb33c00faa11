/** Where files are read and analyzed: on the server that the page came from, or in this browser. */
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
  place: IS_ALONE ? "browser" : rememberedPlace(),
  choose: (place) => {
    set({ place });
    remember(place);
  },
}));

function rememberedPlace(): Place {
  try {
    return globalThis.localStorage?.getItem(KEY) === "browser" ? "browser" : "server";
  } catch {
    // Storage is refused in some private windows.
    return "server";
  }
}

function remember(place: Place): void {
  try {
    globalThis.localStorage?.setItem(KEY, place);
  } catch {
    // The choice holds for this page.
  }
}

/** Captures of a place: made there by POST, listed by GET. */
export const capturesPath = (place: Place): string => (place === "browser" ? LOCAL_CAPTURES : "/captures");

const LOCAL_CAPTURES = "/local-captures";
const CAPTURE = /^\/captures\/([^/?]+)/u;

/** Whether a request is answered in this browser. @param path below the API's own path */
export function isAnsweredHere(path: string): boolean {
  if (IS_ALONE || path.startsWith(LOCAL_CAPTURES)) return true;
  const id = CAPTURE.exec(path)?.[1];
  return id !== undefined && isLocalId(decodeURIComponent(id));
}

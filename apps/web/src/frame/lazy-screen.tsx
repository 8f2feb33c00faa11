import { type ComponentType, type ReactNode, useEffect, useReducer, useState } from "react";
import { frameTexts as texts } from "../messages/frame.ts";
import { KeepKeys } from "../ui/keys.ts";

/** A script of the app that the server did not return: the server has another version now, or does not answer. */
export class MissingScript extends Error {
  constructor(cause: unknown) {
    super(texts.partOfThePage, { cause });
    this.name = "MissingScript";
  }
}

const KEY = "ag-lens.loaded-again";

/** A screen whose script is loaded when it is first shown, or before. */
export type LazyScreen<P extends object = object> = ComponentType<P> & {
  /** Starts loading: the screen is shown once its data is there. */
  readonly loadAhead: () => void;
};

/**
 * A screen whose script is loaded when it is first shown; until then presses of keys are kept for it. Throws
 * MissingScript where it is shown when that fails. It does not use React's `lazy`, whose boundary shows its fallback
 * for at least 300 ms even if the script is loaded.
 */
export function lazyScreen<P extends object>(load: () => Promise<ComponentType<P>>): LazyScreen<P> {
  let Loaded: ComponentType<P> | null = null;
  let loading: Promise<void> | null = null;
  const loadOnce = (): Promise<void> =>
    (loading ??= load().then(
      (screen) => {
        Loaded = screen;
        forgetLoadedAgain();
      },
      (error: unknown) => {
        // The next time it is shown, its script is requested again.
        loading = null;
        throw new MissingScript(error);
      },
    ));
  function Screen(props: P): ReactNode {
    const [isThere, show] = useReducer(() => true, Loaded !== null);
    const [failure, setFailure] = useState<{ readonly error: unknown } | null>(null);
    useEffect(() => {
      if (!isThere) loadOnce().then(show, (error: unknown) => setFailure({ error }));
    }, [isThere]);
    if (failure !== null) throw failure.error;
    return isThere && Loaded !== null ? <Loaded {...props} /> : <KeepKeys />;
  }
  // A failure is reported where the screen is shown.
  return Object.assign(Screen, { loadAhead: () => void loadOnce().catch(() => {}) });
}

/** True when this tab loaded the page again because of a missing script and has not found one since. */
export function wasLoadedAgain(): boolean {
  try {
    return window.sessionStorage.getItem(KEY) !== null;
  } catch {
    return false;
  }
}

/** Loads the page again, and remembers that it did. */
export function loadAgain(): void {
  try {
    window.sessionStorage.setItem(KEY, "once");
  } catch {
    // Without storage the offer is made again: nothing loads the page on its own.
  }
  window.location.reload();
}

function forgetLoadedAgain(): void {
  try {
    window.sessionStorage.removeItem(KEY);
  } catch {
    // The text was not kept.
  }
}

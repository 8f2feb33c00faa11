import { type ComponentType, lazy, type LazyExoticComponent } from "react";

/** A script of the app that the server did not give: it has another version now, or it does not answer. */
export class MissingScript extends Error {
  constructor(cause: unknown) {
    super("A part of the page could not be loaded.", { cause });
    this.name = "MissingScript";
  }
}

const KEY = "ag-lens.loaded-again";

/** A screen whose script is loaded when it is first shown, or before. */
export type LazyScreen<P extends object = object> = LazyExoticComponent<ComponentType<P>> & {
  /** Begins to load it: it will be shown once what it shows is there. */
  readonly loadAhead: () => void;
};

/** A screen whose script is loaded when it is first shown. Throws MissingScript where it is shown when that fails. */
export function lazyScreen<P extends object>(load: () => Promise<ComponentType<P>>): LazyScreen<P> {
  let ahead: Promise<ComponentType<P>> | null = null;
  const Screen = lazy(async () => {
    try {
      const screen = await (ahead ?? load());
      forgetLoadedAgain();
      return { default: screen };
    } catch (error) {
      throw new MissingScript(error);
    }
  });
  const loadAhead = (): void => {
    ahead ??= load();
    // Where it is shown it is asked for once more, and the failure is reported.
    ahead.catch(() => {
      ahead = null;
    });
  };
  return Object.assign(Screen, { loadAhead });
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
    // Nothing was kept.
  }
}

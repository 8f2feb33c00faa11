/** A screen that a test owns: sizes of elements, the screen's pixels, media queries. A document without layout has none of them. */
import { act } from "@testing-library/react";
import { onTestFinished, vi } from "vitest";

interface Size {
  readonly width: number;
  readonly height: number;
}

export interface FakeScreen {
  /** Sets the size of every element and reports it to its observers. */
  readonly resize: (size: Size) => void;
  /** Moves the window to a screen with this ratio of device pixels per CSS pixel. */
  readonly moveTo: (ratio: number) => void;
  /** Makes a media query true or false. */
  readonly setMedia: (query: string, matches: boolean) => void;
  /** Runs callbacks that wait for the next animation frame. */
  readonly nextFrame: () => void;
}

/** Replaces the screen under the test's document; it is restored when the test has finished. */
export function fakeScreen(first: Size & { readonly ratio?: number } = { width: 0, height: 0 }): FakeScreen {
  let size: Size = first;
  let ratio = first.ratio ?? 1;
  const observers = new Set<() => void>();
  const media = new Map<string, boolean>();
  const lists = new Map<string, Set<() => void>>();
  let frames = new Map<number, FrameRequestCallback>();
  let lastFrame = 0;

  const matches = (query: string): boolean => {
    const resolution = /^\(resolution: ([\d.]+)dppx\)$/u.exec(query);
    return resolution === null ? (media.get(query) ?? false) : Number(resolution[1]) === ratio;
  };
  /** Changes the screen and reports it to the queries whose answer it changed, as a browser does. */
  const changeMedia = (change: () => void): void => {
    const before = new Map(Array.from(lists.keys(), (query) => [query, matches(query)]));
    change();
    const changed = Array.from(lists).filter(([query]) => matches(query) !== before.get(query));
    for (const listener of changed.flatMap(([, listeners]) => Array.from(listeners))) listener();
  };

  vi.stubGlobal(
    "ResizeObserver",
    class {
      readonly #report: () => void;
      constructor(report: () => void) {
        this.#report = report;
      }
      observe(): void {
        observers.add(this.#report);
      }
      disconnect(): void {
        observers.delete(this.#report);
      }
    },
  );
  vi.stubGlobal("matchMedia", (query: string) => {
    const listeners = lists.get(query) ?? new Set<() => void>();
    lists.set(query, listeners);
    return {
      get matches() {
        return matches(query);
      },
      addEventListener: (_: string, listener: () => void) => listeners.add(listener),
      removeEventListener: (_: string, listener: () => void) => listeners.delete(listener),
    };
  });
  vi.stubGlobal("requestAnimationFrame", (callback: FrameRequestCallback) => {
    frames.set(++lastFrame, callback);
    return lastFrame;
  });
  vi.stubGlobal("cancelAnimationFrame", (id: number) => frames.delete(id));
  const ratioOfWindow = vi.spyOn(window, "devicePixelRatio", "get").mockImplementation(() => ratio);
  const widths = vi.spyOn(HTMLElement.prototype, "clientWidth", "get").mockImplementation(() => size.width);
  const heights = vi
    .spyOn(HTMLElement.prototype, "clientHeight", "get")
    .mockImplementation(() => size.height);
  onTestFinished(() => {
    vi.unstubAllGlobals();
    for (const spy of [ratioOfWindow, widths, heights]) spy.mockRestore();
  });

  return {
    resize: (next) =>
      act(() => {
        size = next;
        for (const report of observers) report();
      }),
    moveTo: (next) => act(() => changeMedia(() => (ratio = next))),
    setMedia: (query, on) => act(() => changeMedia(() => media.set(query, on))),
    nextFrame: () =>
      act(() => {
        const waiting = frames;
        frames = new Map();
        for (const callback of waiting.values()) callback(0);
      }),
  };
}

/** Presses as a browser sends them, for gestures that listen to the element first and to the window while they last. */
import { act, fireEvent } from "@testing-library/react";
import { onTestFinished, vi } from "vitest";

type Keys = Pick<MouseEventInit, "shiftKey" | "ctrlKey" | "button">;
type Place = readonly [x: number, y: number];

const at = ([clientX, clientY]: Place, more: MouseEventInit = {}): MouseEventInit => ({
  clientX,
  clientY,
  view: window,
  ...more,
});

/** Presses the mouse on an element, moves it from place to place, and releases it; the browser then sends a click. */
export function dragMouse(element: Element, [first, ...rest]: readonly Place[], keys: Keys = {}): void {
  // A drag suppresses the following click until the browser has sent it.
  vi.useFakeTimers();
  fireEvent.mouseDown(element, at(first, keys));
  for (const place of rest) fireEvent.mouseMove(window, at(place, keys));
  const last = rest.at(-1) ?? first;
  fireEvent.mouseUp(window, at(last, keys));
  fireEvent.click(element, at(last, keys));
  vi.runAllTimers();
  vi.useRealTimers();
}

/** Turns the wheel over an element; false when the browser's default action is prevented. */
export function turnWheel(element: Element, turn: Partial<WheelEvent>): boolean {
  const event = new WheelEvent("wheel", { bubbles: true, cancelable: true, view: window });
  for (const [name, value] of Object.entries({
    deltaX: 0,
    deltaY: 0,
    deltaMode: 0,
    clientX: 0,
    clientY: 0,
    ...turn,
  }))
    Object.defineProperty(event, name, { value });
  let goesOn = true;
  act(() => void (goesOn = element.dispatchEvent(event)));
  return goesOn;
}

/** Fingers on an element; each step of `moves` has the place of each finger. */
export function dragFingers(element: Element, moves: readonly (readonly Place[])[]): void {
  const touchesOf = (places: readonly Place[]) =>
    places.map(([clientX, clientY], identifier) => ({ identifier, clientX, clientY, target: element }));
  const send = (type: string, touches: readonly object[], changedTouches: readonly object[]): void => {
    const event = new Event(type, { bubbles: true, cancelable: true });
    act(() => void element.dispatchEvent(Object.assign(event, { touches, changedTouches, view: window })));
  };
  const [first, ...rest] = moves.map(touchesOf);
  send("touchstart", first, first);
  for (const touches of rest) send("touchmove", touches, touches);
  send("touchend", [], rest.at(-1) ?? first);
}

/** A screen that supports touch. */
export function touchScreen(): void {
  const spy = vi.spyOn(navigator, "maxTouchPoints", "get").mockReturnValue(5);
  onTestFinished(() => spy.mockRestore());
}

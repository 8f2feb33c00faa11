import { fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { findAction, KeepKeys, keyName, useKeys, type KeyBindings } from "./keys.ts";

function Page({ bindings }: { readonly bindings: KeyBindings }) {
  useKeys(bindings);
  return (
    <main>
      <p>a log block</p>
      <label>
        Search <input />
      </label>
      <label>
        Wait <input type="checkbox" />
      </label>
      <textarea aria-label="Note" />
      <div contentEditable suppressContentEditableWarning>
        editable
      </div>
      <button type="button">Analyze</button>
      <a href="#there">There</a>
      {/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- as the product's dialogs are */}
      <div role="dialog" aria-label="Share">
        <p>in the dialog</p>
        <button type="button">Copy</button>
      </div>
    </main>
  );
}

/** Effect of a press on the element that the selector finds. */
function pressed(
  selector: string,
  init: KeyboardEventInit,
): { readonly taken: boolean; readonly acted: string[] } {
  const acted: string[] = [];
  const action = (name: string) => () => void acted.push(name);
  const { unmount, container } = render(
    <Page
      bindings={{
        zoomIn: action("zoomIn"),
        open: action("open"),
        hold: action("hold"),
        search: action("search"),
        lane: action("lane"),
        group: action("group"),
        panLeftFar: action("panLeftFar"),
      }}
    />,
  );
  const taken = !fireEvent.keyDown(container.querySelector(selector)!, init);
  unmount();
  return { taken, acted };
}

test("a key acts from anywhere on the page, and the browser does nothing else with it", () => {
  expect(pressed("main > p", { key: "w" })).toEqual({ taken: true, acted: ["zoomIn"] });
  expect(pressed("main > p", { key: "q" })).toEqual({ taken: false, acted: [] });
});

test("keys pressed in an open dialog are the dialog's", () => {
  expect(pressed("[role=dialog] p", { key: "w" })).toEqual({ taken: false, acted: [] });
  expect(pressed("[role=dialog] button", { key: "k", ctrlKey: true })).toEqual({ taken: false, acted: [] });
});

test.each(["input:not([type])", "textarea", "[contenteditable=true]"])(
  "typing in %s acts on nothing",
  (field) => {
    expect(pressed(field, { key: "w" }).acted).toEqual([]);
  },
);

test("a checkbox takes no letters: they act", () => {
  expect(pressed("[type=checkbox]", { key: "w" }).acted).toEqual(["zoomIn"]);
});

test("Enter and Space press the control that has the focus, other keys act beside it", () => {
  expect(pressed("main > button", { key: "Enter" }).acted).toEqual([]);
  expect(pressed("main > a", { key: "Enter" }).acted).toEqual([]);
  expect(pressed("main > button", { key: " " }).acted).toEqual([]);
  expect(pressed("[type=checkbox]", { key: " " }).acted).toEqual([]);
  expect(pressed("main > a", { key: " " }).acted).toEqual(["hold"]);
  expect(pressed("main > button", { key: "w" }).acted).toEqual(["zoomIn"]);
  expect(pressed("main > p", { key: "Enter" }).acted).toEqual(["open"]);
  expect(pressed("main > p", { key: " " }).acted).toEqual(["hold"]);
});

test("a press that something else has taken acts on nothing", () => {
  const acted: string[] = [];
  render(<Page bindings={{ zoomIn: () => acted.push("zoomIn") }} />);
  const paragraph = screen.getByText("a log block");
  paragraph.addEventListener("keydown", (event) => event.preventDefault());
  fireEvent.keyDown(paragraph, { key: "w" });
  expect(acted).toEqual([]);
});

test("Shift and a digit fold a group wherever the digit is typed with Shift or without", () => {
  // A US keyboard types "!" with Shift and 1; a French one types "1" with it and "&" without.
  expect(pressed("main > p", { key: "!", code: "Digit1", shiftKey: true }).acted).toEqual(["group"]);
  expect(pressed("main > p", { key: "1", code: "Digit1", shiftKey: true }).acted).toEqual(["lane"]);
  expect(pressed("main > p", { key: "1", code: "Digit1" }).acted).toEqual(["lane"]);
  expect(pressed("main > p", { key: "!", code: "Digit1", shiftKey: true, ctrlKey: true }).acted).toEqual([]);
});

test("the action of the last render is the one that acts, and none after the page has gone", () => {
  const acted: string[] = [];
  const { rerender, unmount } = render(<Page bindings={{ zoomIn: () => acted.push("first") }} />);
  rerender(<Page bindings={{ zoomIn: () => acted.push("second") }} />);
  fireEvent.keyDown(screen.getByText("a log block"), { key: "w" });
  unmount();
  fireEvent.keyDown(document.body, { key: "w" });
  expect(acted).toEqual(["second"]);
});

test("names of presses: letters know Shift, signs do not", () => {
  const name = (init: Partial<KeyboardEvent>): string =>
    keyName({ key: "a", shiftKey: false, altKey: false, ctrlKey: false, metaKey: false, ...init });
  expect(name({ key: "A", shiftKey: true })).toBe("Shift+A");
  expect(name({ key: "A" })).toBe("a");
  expect(name({ key: "?", shiftKey: true })).toBe("?");
  expect(name({ key: "ArrowLeft", shiftKey: true })).toBe("Shift+ArrowLeft");
  expect(name({ key: "1", altKey: true })).toBe("Alt+1");
  expect(name({ key: "k", metaKey: true })).toBe("Ctrl+k");
});

test("of two entries with one key the bound one acts", () => {
  const analyse = (): void => undefined;
  expect(findAction("Enter", { analyse })).toBe(analyse);
  expect(findAction("Enter", {})).toBeNull();
});

afterEach(() => void vi.useRealTimers());

test("presses while something loads act once it is there, in their order, unless a click came between", () => {
  vi.useFakeTimers();
  const acted: string[] = [];
  const bindings = { nextSlow: () => acted.push("nextSlow"), open: () => acted.push("open") };
  const Screen = (): null => (useKeys(bindings), null);
  const press = (key: string): void => void fireEvent.keyDown(document.body, { key });
  const { rerender } = render(<KeepKeys key="capture" />);
  press("n");
  press("q");
  press("Enter");
  // The component that loads next keeps them too.
  rerender(<KeepKeys key="screen" />);
  vi.runAllTimers();
  expect(acted).toEqual([]);
  rerender(<Screen />);
  vi.runAllTimers();
  expect(acted).toEqual(["nextSlow", "open"]);
  rerender(<KeepKeys />);
  press("n");
  fireEvent.pointerDown(document.body);
  rerender(<Screen />);
  vi.runAllTimers();
  expect(acted).toEqual(["nextSlow", "open"]);
});

test("presses that were kept act one after the other: each finds what the one before has changed", async () => {
  const acted: string[] = [];
  const nextSlow = (): void => {
    acted.push("press");
    queueMicrotask(() => acted.push("render"));
  };
  const Screen = (): null => (useKeys({ nextSlow }), null);
  const { rerender } = render(<KeepKeys />);
  for (let presses = 0; presses < 2; presses += 1) fireEvent.keyDown(document.body, { key: "n" });
  rerender(<Screen />);
  await new Promise((resolve) => setTimeout(resolve));
  expect(acted).toEqual(["press", "render", "press", "render"]);
});

test("letters in a menu choose its lines and act on nothing behind it", () => {
  const acted: string[] = [];
  render(<Page bindings={{ zoomIn: () => acted.push("zoomIn") }} />);
  const line = screen.getByText("a log block");
  line.setAttribute("role", "menu");
  fireEvent.keyDown(line, { key: "w" });
  expect(acted).toEqual([]);
});

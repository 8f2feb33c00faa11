import { act, render, screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { fakeScreen } from "../../test/fake-screen.ts";
import { useTokens } from "./palette.ts";

function Ink() {
  return <output>{useTokens()["--ink"]}</output>;
}

const shownInk = (): string | null => screen.getByRole("status").textContent;
const setInk = (color: string): void => document.documentElement.style.setProperty("--ink", color);

/** Mutations of the document are reported after the code that made them. */
const mutationsReported = (): Promise<void> =>
  act(() => new Promise<void>((resolve) => void setTimeout(resolve, 0)));

test("canvas gets the tokens that the document has, and follows the theme", async () => {
  fakeScreen();
  setInk("#111111");
  const { unmount } = render(<Ink />);
  expect(shownInk()).toBe("#111111");
  setInk("#eeeeee");
  document.documentElement.dataset["theme"] = "dark";
  await mutationsReported();
  expect(shownInk()).toBe("#eeeeee");
  unmount();
});

test("canvas follows the system's colors, and a style sheet that comes late", () => {
  const display = fakeScreen();
  setInk("#111111");
  render(<Ink />);
  setInk("#222222");
  display.setMedia("(prefers-color-scheme: dark)", true);
  expect(shownInk()).toBe("#222222");
  setInk("#333333");
  display.setMedia("(forced-colors: active)", true);
  expect(shownInk()).toBe("#333333");
  setInk("#444444");
  display.setMedia("(prefers-contrast: more)", true);
  expect(shownInk()).toBe("#444444");
  setInk("#555555");
  act(() => void window.dispatchEvent(new Event("load")));
  expect(shownInk()).toBe("#555555");
});

test("a change of the root that changes no token renders nothing", async () => {
  fakeScreen();
  setInk("#111111");
  const rendered = vi.fn();
  function Counted() {
    useTokens();
    rendered();
    return null;
  }
  render(<Counted />);
  rendered.mockClear();
  document.documentElement.dataset["other"] = "1";
  await mutationsReported();
  expect(rendered).not.toHaveBeenCalled();
});

test("a theme that changed while nobody looked is there for the next one", () => {
  fakeScreen();
  setInk("#111111");
  render(<Ink />).unmount();
  setInk("#999999");
  render(<Ink />);
  expect(shownInk()).toBe("#999999");
});

import { renderHook } from "@testing-library/react";
import { expect, test } from "vitest";
import { fakeScreen } from "../../test/fake-screen.ts";
import { rememberTheme } from "./theme.ts";
import { useAppliedTheme } from "./use-theme.ts";

const { dataset, style } = document.documentElement;

test("a page of the dark theme is light while it is printed, and dark again behind it", () => {
  fakeScreen();
  rememberTheme("dark");
  const { unmount } = renderHook(useAppliedTheme);
  expect(dataset["theme"]).toBe("dark");
  window.dispatchEvent(new Event("beforeprint"));
  expect([dataset["theme"], dataset["printing"]]).toEqual(["light", ""]);
  // The window is 1,024 px wide: on paper everything is as wide, and smaller.
  expect(style.getPropertyValue("--screen")).toBe(`${window.innerWidth}px`);
  expect(Number(style.getPropertyValue("--paper-zoom"))).toBeCloseTo(Math.min(1, 960 / window.innerWidth), 6);
  window.dispatchEvent(new Event("afterprint"));
  expect([dataset["theme"], dataset["printing"]]).toEqual(["dark", undefined]);
  unmount();
  window.dispatchEvent(new Event("beforeprint"));
  expect([dataset["theme"], dataset["printing"]]).toEqual(["dark", undefined]);
  rememberTheme("system");
  delete dataset["theme"];
});

import { renderHook } from "@testing-library/react";
import { expect, test } from "vitest";
import { fakeScreen } from "../../test/fake-screen.ts";
import { rememberTheme } from "./theme.ts";
import { useAppliedTheme } from "./use-theme.ts";

const { dataset } = document.documentElement;

test("a page of the dark theme is light while it is printed, and dark again behind it", () => {
  fakeScreen();
  rememberTheme("dark");
  const { unmount } = renderHook(useAppliedTheme);
  expect(dataset["theme"]).toBe("dark");
  window.dispatchEvent(new Event("beforeprint"));
  expect([dataset["theme"], dataset["printing"]]).toEqual(["light", ""]);
  window.dispatchEvent(new Event("afterprint"));
  expect([dataset["theme"], dataset["printing"]]).toEqual(["dark", undefined]);
  unmount();
  window.dispatchEvent(new Event("beforeprint"));
  expect([dataset["theme"], dataset["printing"]]).toEqual(["dark", undefined]);
  rememberTheme("system");
  delete dataset["theme"];
});

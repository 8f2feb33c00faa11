import { afterEach, expect, test, vi } from "vitest";
import { isTourOffered } from "./tour.ts";

afterEach(() => {
  vi.unstubAllGlobals();
  window.localStorage.clear();
});

test("the tour is offered once on a browser", () => {
  expect([isTourOffered(), isTourOffered()]).toEqual([true, false]);
});

test("it is not offered where the browser keeps nothing", () => {
  const refuse = (): never => {
    throw new DOMException("denied", "SecurityError");
  };
  vi.stubGlobal("localStorage", { getItem: refuse, setItem: refuse });
  expect(isTourOffered()).toBe(false);
});

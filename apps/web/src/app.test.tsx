import { render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { settled, withAnswers } from "../test/answers.tsx";
import { openPath } from "./state/navigate.ts";
import { App } from "./app.tsx";

let asked: string[];

beforeEach(() => {
  asked = [];
  vi.stubGlobal("fetch", (address: string) => {
    asked.push(address.replace("/api/v1", ""));
    return new Promise(() => {});
  });
});
afterEach(() => vi.unstubAllGlobals());

async function openAt(address: string): Promise<void> {
  window.history.replaceState(null, "", address);
  render(<App />, { wrapper: withAnswers() });
  await settled();
}

test.each(["/nowhere", "/captures/c1/nowhere", "/l/c1/nowhere", "/captures/c1/overview"])(
  "%s is no page, and says where to start",
  async (address) => {
    await openAt(address);
    expect(screen.getByText("There is no page at this address.")).toBeTruthy();
    expect(asked).toEqual([]);
  },
);

test.each([
  ["/captures/c1", "/captures/c1"],
  ["/captures/c1/timeline", "/captures/c1"],
  ["/l/k1", "/links/k1"],
])("%s asks for what it shows", async (address, question) => {
  await openAt(address);
  expect(asked).toContain(question);
});

test("the audit's former address opens the status", async () => {
  await openAt("/audit");
  expect(openPath()).toBe("/status");
});

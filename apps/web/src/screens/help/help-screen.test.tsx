import { fireEvent, render, screen, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { settled, withAnswers } from "../../../test/answers.tsx";
import { openPath } from "../../state/navigate.ts";
import { HelpScreen } from "./help-screen.tsx";

beforeEach(() => window.history.replaceState(null, "", "/help"));

const open = (page?: string, section?: string): void => {
  render(<HelpScreen page={page} section={section} />, { wrapper: withAnswers() });
};
const pages = (): HTMLElement => screen.getByRole("navigation", { name: "Pages of the guide" });

test("a page has its sections, code to copy and links to other pages", () => {
  open("record");
  expect(screen.getByRole("heading", { level: 1 }).textContent).toBe("How do I record events?");
  expect(screen.getByRole("article").textContent).toContain("CREATE EVENT SESSION");
  expect(within(pages()).getByRole("link", { current: "page" }).textContent).toBe("How do I record events?");
});

test("the section that the address names is marked", () => {
  open("stages", "secondary-log-write");
  const heading = screen.getByRole("heading", { name: "Secondary log write" });
  expect(heading.dataset["named"]).toBe("true");
  const check = screen.getAllByRole("link", { name: "Slow log writes on a secondary" })[0];
  expect(check?.getAttribute("href")).toBe("/help/verdict/slow-log-writes-on-a-secondary");
});

test("a search lists the pages with all words, with a sentence that has them", async () => {
  open();
  const field = screen.getByRole("searchbox", { name: "Search help" });
  await settled(() => fireEvent.change(field, { target: { value: "vlf header" } }));
  const found = within(pages()).getAllByRole("link");
  expect(found.length).toBeGreaterThan(0);
  for (const link of found) expect(link.textContent?.toLowerCase()).toContain("vlf");
  await settled(() => fireEvent.change(field, { target: { value: "zzzz" } }));
  expect(pages().textContent).toContain("No page matches “zzzz”.");
  await settled(() => fireEvent.click(screen.getByRole("button", { name: "Clear search" })));
  expect(within(pages()).getAllByRole("link").length).toBeGreaterThan(15);
});

test("[ and ] turn the pages, in the order of the index", () => {
  open("open");
  fireEvent.keyDown(window, { key: "]" });
  expect(openPath()).toBe("/help/ways");
  fireEvent.keyDown(window, { key: "[" });
  expect(openPath()).toBe("/help/record");
});

test("an address without a page says so, and keeps the list", () => {
  open("nowhere");
  expect(screen.getByRole("heading", { level: 1 }).textContent).toBe("The guide has no such page");
  expect(within(pages()).getAllByRole("link").length).toBeGreaterThan(15);
});

import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { Page } from "./page.tsx";

test("content without a control takes the keyboard itself: it may have to be scrolled", () => {
  const { rerender } = render(
    <Page title="Progress" isForReading>
      <p>Reading 3 files</p>
    </Page>,
  );
  expect(screen.getByRole("main").tabIndex).toBe(0);
  rerender(
    <Page title="Overview">
      <button type="button">Slowest</button>
    </Page>,
  );
  // The link to skip to the content focuses it, Tab does not.
  expect(screen.getByRole("main").tabIndex).toBe(-1);
});

import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { fakeScreen } from "../../test/fake-screen.ts";
import { useMedia } from "./use-media.ts";

function Answer({ query }: { readonly query: string }) {
  return <output>{String(useMedia(query))}</output>;
}

const answer = (): string | null => screen.getByRole("status").textContent;

test("a media query is answered, and answered anew when it changes", () => {
  const display = fakeScreen();
  const { rerender, unmount } = render(<Answer query="(max-height: 699px)" />);
  expect(answer()).toBe("false");
  display.setMedia("(max-height: 699px)", true);
  expect(answer()).toBe("true");
  rerender(<Answer query="(forced-colors: active)" />);
  expect(answer()).toBe("false");
  unmount();
  display.setMedia("(forced-colors: active)", true);
});

import { render } from "@testing-library/react";
import { expect, test } from "vitest";
import { summaryOf } from "../../../test/summary.ts";
import { clockText, StatusLeft } from "./status.tsx";

const words = (more: Parameters<typeof summaryOf>[0] = {}): string =>
  clockText("aligned", new Map(), summaryOf(more));

test("times are on the primary's clock", () => {
  expect(words()).toBe("Times on the primary's clock");
});

test("a server whose clock cannot be aligned is not said to be on it", () => {
  const [clock] = summaryOf().clocks;
  expect(words({ clocks: [{ ...clock, status: "cannotAlign", strictUncertaintyUs: null }] })).toBe(
    "SQL2 not on the primary's clock: placed by UTC",
  );
});

test("the bar has four key hints at most; keys of one hint are one", () => {
  const hints = (more: Partial<Parameters<typeof StatusLeft>[0]>): number => {
    const given = { span: 1e6, blocks: 100, level: 1, gates: false, measuring: null, others: null } as const;
    const { container, unmount } = render(<StatusLeft {...given} hasSwitch={false} {...more} />);
    const count = new Set([...container.querySelectorAll("kbd")].map((key) => key.parentElement)).size;
    unmount();
    return count;
  };
  expect(hints({})).toBe(4);
  expect(hints({ hasSwitch: true })).toBe(4);
  expect(hints({ others: "dim" })).toBe(4);
  expect(hints({ measuring: { first: null } })).toBe(2);
});

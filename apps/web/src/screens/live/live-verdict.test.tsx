import { render } from "@testing-library/react";
import { expect, test } from "vitest";
import { summaryOf } from "../../../test/summary.ts";
import { LiveVerdict } from "./live-verdict.tsx";

const words = (
  verdict: Parameters<typeof LiveVerdict>[0]["verdict"],
  database: string | null = null,
): string =>
  (
    render(<LiveVerdict verdict={verdict} judged={{ from: 3e6, to: 18e6 }} database={database} />).container
      .textContent ?? ""
  ).replaceAll("\u00a0", " ");

test("the verdict says of which seconds it and the figures beside it are", () => {
  const { verdict } = summaryOf();
  const so = {
    ...verdict,
    place: "network" as const,
    sentence: "The network is slow.",
    checkNext: ["Pings"],
  };
  expect(words(so, "Sales")).toBe(
    "Sales: The network is slow.Check next: Pings. Verdict and figures: last 15 s.",
  );
});

test("before the first block there is none", () => {
  expect(words(null)).toBe("No block has finished yet.");
});

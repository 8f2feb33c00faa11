import { render } from "@testing-library/react";
import { expect, test } from "vitest";
import { summaryOf } from "../../../test/summary.ts";
import type { Zone } from "../../ui/zone.ts";
import { LiveVerdict } from "./live-verdict.tsx";

/** From 02:17:00 UTC, a minute long. */
const RUN = { originTicks: "131069746200000000", durationUs: 60e6 };

const words = (
  verdict: Parameters<typeof LiveVerdict>[0]["verdict"],
  database: string | null = null,
  zone: Zone = { kind: "utc" },
): string =>
  (
    render(
      <LiveVerdict
        verdict={verdict}
        judged={{ from: 3e6, to: 18e6 }}
        database={database}
        clock={{ ...RUN, zone }}
      />,
    ).container.textContent ?? ""
  ).replaceAll("\u00a0", " ");

test("the verdict says of which seconds it and the figures beside it are", () => {
  const { verdict } = summaryOf();
  const so = {
    ...verdict,
    place: "network" as const,
    sentence: "The network is slow.",
    checkNext: ["Run psping.", "Check the switch."],
  };
  expect(words(so, "Sales")).toBe(
    "Sales: The network is slow.Verdict and figures: last 15 s.Check nextRun psping.Check the switch.",
  );
});

test("times of the verdict are those of the chosen clock", () => {
  const { verdict } = summaryOf();
  const so = {
    ...verdict,
    sentence: "98 % falls between 02:17:28 and 02:17:42.",
    checkNext: ["Check SQL2 at 02:17:28"],
  };
  const shown = words(so, null, { kind: "server", minutes: 330, name: null });
  expect(shown).toContain("between 07:47:28 and 07:47:42.");
  expect(shown).toContain("Check SQL2 at 07:47:28");
});

test("before the first block there is none", () => {
  expect(words(null)).toBe("No block has finished yet.");
});

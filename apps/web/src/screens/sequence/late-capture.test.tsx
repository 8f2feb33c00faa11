/**
 * A block that waited on the primary before it was sent: its remote harden, and its shares, are only a small part of
 * the time that commits waited.
 */
import { screen } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { fakeScreen } from "../../../test/fake-screen.ts";
import { openCapture } from "../../../test/open-capture.tsx";
import { EVEN_BLOCK } from "../../../test/sequence.ts";
import { Headline } from "./headline.tsx";
import { StageTable } from "./stage-table.tsx";

beforeEach(() => {
  fakeScreen({ width: 900, height: 400 });
});

const [hop] = EVEN_BLOCK.hops;
const [out, trip] = hop.stages;
const lagging = (us: number) => ({
  ...EVEN_BLOCK,
  hops: [
    {
      ...hop,
      remoteHarden: 4_750,
      stages: [
        { ...out, id: "captureLag" as const, duration: us, share: null },
        { ...out, share: 0.97 },
        trip,
      ],
    },
  ],
});
const words = (): string => (document.body.textContent ?? "").replaceAll(/[\u2009\u00a0]/gu, " ");

test("the headline says how long the primary held it, where that is longer than remote harden", async () => {
  const { unmount } = await openCapture(<Headline sequence={lagging(163_800)} />);
  expect(words()).toContain("before it SQL1 held it for 164 ms");
  expect(words()).not.toContain("the network took");
  unmount();
  await openCapture(<Headline sequence={lagging(4_000)} />);
  expect(words()).toContain("the network took 97 %");
});

test("capture lag is a stage where it is over its limit of 200 µs", async () => {
  const { unmount } = await openCapture(<StageTable sequence={lagging(163_800)} />);
  expect(screen.getByRole("row", { name: /Capture lag/u }).textContent).toContain("164");
  unmount();
  await openCapture(<StageTable sequence={lagging(60)} />);
  expect(screen.queryByRole("row", { name: /Capture lag/u })).toBeNull();
});

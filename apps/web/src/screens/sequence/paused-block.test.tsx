/** A block that waited for an unresponsive server: no screen attributes this time to the network. */
import { screen, within } from "@testing-library/react";
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
const block = (pause: typeof hop.pause) => ({
  ...EVEN_BLOCK,
  hops: [{ ...hop, pause, stages: [{ ...out, share: 0.97, isPaused: pause !== null }, trip] }],
});
const words = (): string => (document.body.textContent ?? "").replaceAll(/[\u2009\u00a0]/gu, " ");

test("the headline names the server and how long it was unresponsive", async () => {
  const { unmount } = await openCapture(<Headline sequence={block({ end: "secondary", us: 27_000 })} />);
  expect(words()).toContain("SQL2 was unresponsive for 27.0 ms of it");
  expect(words()).not.toContain("the network took");
  unmount();
  await openCapture(<Headline sequence={block(null)} />);
  expect(words()).toContain("the network took 97 %");
});

test("the stage says it where it says how it was obtained", async () => {
  const obtained = () =>
    within(screen.getByRole("row", { name: /Network out/u }))
      .getAllByRole("cell")
      .at(-1)?.textContent;
  const { unmount } = await openCapture(<StageTable sequence={block({ end: "primary", us: 27_000 })} />);
  expect(obtained()).toBe("was unresponsive");
  unmount();
  await openCapture(<StageTable sequence={block(null)} />);
  expect(obtained()).toBe("measured");
});

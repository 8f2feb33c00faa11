import { screen } from "@testing-library/react";
import { render } from "@testing-library/react";
import type { Progress } from "@aglens/contract";
import { beforeEach, expect, test } from "vitest";
import { captureFile } from "../../../../test/capture-file.ts";
import { logCanvases } from "../../../../test/canvas.ts";
import { captureOf } from "../../../../test/capture.ts";
import { fakeScreen } from "../../../../test/fake-screen.ts";
import { blockWindow } from "../../../../test/window.ts";
import { FirstPicture } from "./first-picture.tsx";

const progress: Progress = {
  phase: "decode",
  bytesDone: 30,
  bytesTotal: 100,
  events: 300,
  blocks: 0,
  files: [],
};
const picture = blockWindow([{ commitStart: 0, commitEnd: 8_000, hops: [{}] }], { to: 15_000_000 });
const capture = captureOf({
  state: "analysing",
  files: [
    captureFile({
      from: "2026-11-20T10:00:00.0000000Z",
      to: "2026-11-20T10:01:00.0000000Z",
      role: "primary",
    }),
  ],
});
const pictureOf = (given: Partial<Parameters<typeof FirstPicture>[0]>) =>
  render(<FirstPicture capture={capture} progress={progress} points={new Map()} preview={null} {...given} />);

beforeEach(() => {
  fakeScreen({ width: 1_000, height: 400 });
  logCanvases();
});

test("before any log block is complete there are events per second", () => {
  pictureOf({});
  expect(screen.getByRole("figure").textContent).toContain("Events per second");
  expect(screen.queryByRole("button")).toBeNull();
});

test("the picture of the whole takes their place", () => {
  pictureOf({ progress: { ...progress, phase: "verdict" }, preview: picture });
  expect(screen.getByRole("img", { name: /^The capture at a glance/u })).toBeDefined();
  expect(screen.queryByRole("button")).toBeNull();
});

import { fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { captureFile } from "../../../../test/capture-file.ts";
import { captureOf } from "../../../../test/capture.ts";
import { usePlace } from "../../../data/place.ts";
import type { Draft } from "./draft-types.ts";
import { useDraft } from "./draft.ts";
import { TooLarge } from "./too-large.tsx";
import { tooLargeFor } from "./too-large-files.ts";

const MB = 1_000_000;
/** 2024-11-30 00:00 UTC as FILETIME ticks. */
const MIDNIGHT = 133_773_984_000_000_000n;
const nothing = { capture: null, uploads: [], tooLarge: null };

/** A file of the name and size, whose bytes are never read. */
const sized = (name: string, size: number): File =>
  Object.defineProperty(new File([], name), "size", { value: size });
const rollover = (server: string, atHours: number) => {
  const name = `ag_0_${MIDNIGHT + BigInt(atHours) * 36_000_000_000n}.xel`;
  return { file: sized(name, 300 * MB), path: `${server}/${name}` };
};
const files = ["SQL1", "SQL2"].flatMap((server) => [0, 1, 2, 3].map((hour) => rollover(server, hour)));

beforeEach(() => usePlace.setState({ place: "browser" }));
afterEach(() => {
  usePlace.setState({ place: "server" });
  useDraft.setState(nothing);
});

test("files that fit are read, beside those that were read before", async () => {
  expect(await tooLargeFor(files, undefined, nothing, 2_400 * MB)).toBeNull();
  const capture = captureOf({ files: [captureFile({ size: MB })] });
  const tooLarge = await tooLargeFor(files, undefined, { ...nothing, capture }, 2_400 * MB);
  expect(tooLarge).toMatchObject({ bytes: 2_400 * MB, mostBytes: 2_399 * MB });
});

test("files that do not fit are named before they are read, with a period of time and every other file as choices", async () => {
  const take = vi.fn<Draft["takeTooLarge"]>();
  useDraft.setState({
    takeTooLarge: take,
    tooLarge: await tooLargeFor(files, undefined, nothing, 1_280 * MB),
  });
  render(<TooLarge />);
  // 1.5 bytes of memory per byte, and 200 MB of the page.
  expect(screen.getByRole("alert").textContent).toMatch(
    /2\.4\sGB of event files need about 3\.8\sGB.*about 2\.1\sGB/u,
  );
  expect(screen.getByRole<HTMLInputElement>("radio", { name: /period/iu }).checked).toBe(true);
  expect(screen.getByRole("radio", { name: "Every 2nd rollover file, over the whole time" })).toBeTruthy();

  fireEvent.change(screen.getByRole("combobox"), { target: { value: "1" } });
  expect(screen.getByText(/to 2024-11-30 03:00/u)).toBeTruthy();
  fireEvent.click(screen.getByRole("button", { name: "Read these files" }));
  const paths = take.mock.lastCall?.[0].map(({ picked }) => picked.path);
  expect(paths).toEqual([files[1], files[2], files[5], files[6]].map((file) => file?.path));
});

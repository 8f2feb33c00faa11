import { fireEvent, screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { settled } from "../../test/answers.tsx";
import { openCapture } from "../../test/open-capture.tsx";
import { MissingBlockRow } from "./missing-block-row.tsx";

const LSN = "00000022:00000167";
const row = () => screen.queryByRole("region", { name: "Block of the link" });

test.each([
  [null, `The link names block ${LSN}, which this capture does not have.`],
  ["Sales2", `The link names block ${LSN} of Sales2, which this capture does not have.`],
])(
  "a block that the capture does not have is named, of database %s, and the name can be let go",
  async (database, words) => {
    const { view } = await openCapture(<MissingBlockRow block={{ database, lsn: LSN }} />, {
      view: { block: 640 },
    });
    expect(screen.getByRole("status").textContent).toBe(words);
    await settled(() => fireEvent.click(within(row()!).getByRole("button", { name: "Dismiss" })));
    expect(view().block).toBeNull();
  },
);

test("nothing is said of a block that the capture has", async () => {
  await openCapture(<MissingBlockRow block={null} />);
  expect(row()).toBeNull();
});

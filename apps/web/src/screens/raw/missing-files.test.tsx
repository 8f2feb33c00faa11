import { QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import type { CaptureFile } from "@aglens/contract";
import { captureFile } from "../../../test/capture-file.ts";
import { captureOf } from "../../../test/capture.ts";
import { createAnswers } from "../../data/answers.ts";
import { provideLocalServer, type LocalServer } from "../../data/local-server.ts";
import { ProblemError } from "../../data/problem.ts";
import { MissingFiles } from "./missing-files.tsx";

const sha256 = "0123456789abcdef".repeat(4);
const missing = captureFile({ name: "a.xel", size: 700_000, role: "primary", isMissing: true, sha256 });
const shown = (files: CaptureFile[]) =>
  render(
    <QueryClientProvider client={createAnswers()}>
      <MissingFiles capture={captureOf({ id: "local-1", files })} />
    </QueryClientProvider>,
  );

test("each missing file is named, what is given is sent, and what is refused says why without keeping the others back", async () => {
  const sent: string[] = [];
  const upload: LocalServer["upload"] = ({ captureId, file: { name } }) => {
    sent.push(`${captureId} ${name}`);
    const refusal = new ProblemError("other-file", 422, `${name} is another.`);
    return name === "other.xel" ? Promise.reject(refusal) : Promise.resolve([]);
  };
  provideLocalServer(() => Promise.resolve({ upload } as LocalServer));
  shown([missing, captureFile({ name: "here.xel", role: "secondary", isMissing: false })]);
  expect(screen.getAllByRole("listitem").map((item) => item.textContent.replaceAll(/\s/gu, " "))).toEqual([
    "a.xel 700 kB SHA-256 0123456789ab…",
  ]);
  const files = ["other.xel", "renamed.xel"].map((name) => new File(["x"], name));
  fireEvent.change(screen.getByLabelText("Event files of this capture"), { target: { files } });
  expect(await screen.findByText("other.xel is another.")).toBeTruthy();
  expect(sent).toEqual(["local-1 other.xel", "local-1 renamed.xel"]);
});

test("a capture whose files are all here offers nothing", () => {
  shown([{ ...missing, isMissing: false }]);
  expect(screen.queryByRole("heading")).toBeNull();
});

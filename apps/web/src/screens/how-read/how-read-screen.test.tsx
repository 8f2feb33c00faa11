import type { CaptureCheck, Summary } from "@aglens/contract";
import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { settled } from "../../../test/answers.tsx";
import { checkOf, ROUNDED } from "../../../test/check.ts";
import { fakeScreen } from "../../../test/fake-screen.ts";
import { openCapture, type Opened } from "../../../test/open-capture.tsx";
import { HowReadScreen } from "./how-read-screen.tsx";

beforeEach(() => {
  fakeScreen({ width: 1_280, height: 900 });
  return () => vi.restoreAllMocks();
});

const open = (check: CaptureCheck, options: Parameters<typeof openCapture>[1] = {}): Promise<Opened> =>
  openCapture(<HowReadScreen />, { ...options, summary: { check } });
const band = () => screen.getByRole("region", { name: "Check" });
const figures = (): (string | null)[] =>
  within(band())
    .getAllByRole("listitem")
    .slice(0, -1)
    .map(({ textContent }) => textContent);
const row = (name: string) => screen.getByRole("row", { name: new RegExp(name, "u") });
const pane = () => screen.getByRole("region", { name: "Selected expectation" });
const selected = (): string | null =>
  screen.getByRole("button", { pressed: true }).closest("th")?.textContent ?? null;
const press = (key: string) => settled(() => fireEvent.keyDown(document.body, { key }));

/** Notes the files that are saved from now on. */
function savedFiles(): { readonly name: string; readonly content: Blob }[] {
  const saved: { name: string; content: Blob }[] = [];
  let content = new Blob();
  vi.spyOn(URL, "createObjectURL").mockImplementation((blob) => ((content = blob as Blob), "blob:report"));
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function click(this: HTMLAnchorElement) {
    saved.push({ name: this.download, content });
  });
  return saved;
}

describe("the check of a capture", () => {
  test("of which everything is met says so, without the color of a fault", async () => {
    await open(checkOf());
    expect(screen.getByRole("heading", { level: 1 }).textContent).toBe("All 19 expectations are met.");
    expect(band().dataset["severity"]).toBe("none");
    expect(figures()).toEqual([
      "19 expectations met",
      "0 met in part",
      "0 not met",
      "8,192 events in 2 files",
      "0 payload bytes unclaimed",
    ]);
    expect(selected()).toBe("Title of columns");
    expect(within(screen.getByRole("table")).getAllByText("Met", { selector: ".sr-only" })).toHaveLength(19);
  });

  test("groups its expectations under their names", async () => {
    await open(checkOf());
    const groups = screen.getAllByRole("rowheader").filter((head) => head.querySelector("button") === null);
    expect(groups.map(({ textContent }) => textContent)).toEqual([
      "Columns",
      "Values",
      "Time",
      "Completeness",
    ]);
  });

  test("of which one isn't met begins with it, and shows what rests on it", async () => {
    await open(ROUNDED);
    expect(screen.getByRole("heading", { level: 1 }).textContent).toBe(ROUNDED.sentence);
    expect(band().dataset["severity"]).toBe("slow");
    expect(figures().slice(0, 4)).toEqual([
      "16 expectations met",
      "1 met in part",
      "1 not met",
      "1 not in these files",
    ]);
    expect(selected()).toBe("Fractions of a millisecond");
    expect(row("Fractions").textContent).toContain("4,0964,097One-way network times");
    expect(row("Fractions").getAttribute("title")).toBe("4,096 met, 4,097 not met, in events");
    expect(pane().textContent).toContain("What is expected of fractions.");
    expect(within(pane()).getByRole("listitem").textContent).toBe(
      ROUNDED.expectations.find(({ id }) => id === "fractions")?.examples[0],
    );
    expect(pane().textContent).toContain("One-way network times");
  });

  test("has no count where files have nothing to check, which doesn't count as met", async () => {
    await open(ROUNDED, { view: { expectation: "actions" } });
    expect(row("Title of actions").textContent).toContain("Not in these files");
    expect(row("Title of actions").textContent).toContain("––");
    expect(selected()).toBe("Title of actions");
    expect(pane().textContent).not.toContain("0 met");
  });

  test("selects the row of the link; keys go along the rows and stop at the ends", async () => {
    const { view } = await open(ROUNDED, { view: { expectation: "actions" } });
    await press("j");
    expect(view().expectation).toBe("event-sequence");
    await press("j");
    await press("j");
    expect(view().expectation).toBe("buffers");
    await press("k");
    expect(selected()).toBe("Title of event-sequence");
    await settled(() => fireEvent.click(row("Title of guids")));
    expect(view().expectation).toBe("guids");
  });

  test("the next one that isn't met comes after the last again", async () => {
    const { view } = await open(ROUNDED, { view: { expectation: "columns" } });
    await press("n");
    expect(view().expectation).toBe("events-per-block");
    await press("n");
    expect(view().expectation).toBe("fractions");
    await press("n");
    expect(view().expectation).toBe("events-per-block");
  });

  test("without one that isn't met the key changes nothing", async () => {
    const { view } = await open(checkOf());
    await press("n");
    expect(view().expectation).toBeNull();
  });

  test("Escape leads back to the screen before", async () => {
    const { open: opened } = await open(checkOf(), { cameFrom: "raw-events" });
    await press("Escape");
    expect(opened).toHaveBeenCalledExactlyOnceWith("raw-events");
  });

  test("names the command that makes the same check", async () => {
    await open(checkOf());
    expect(screen.getByLabelText("command of the same check").textContent).toBe("xel check FOLDER");
  });
});

describe("the report", () => {
  test("is saved as it is, under a name without customer names", async () => {
    const saved = savedFiles();
    await open(ROUNDED);
    await press("s");
    await settled(() => fireEvent.click(screen.getByRole("button", { name: /^Save report without names/u })));
    expect(saved.map(({ name }) => name)).toEqual(["ag-lens-check.txt", "ag-lens-check.txt"]);
    expect(await saved[0]?.content.text()).toBe(ROUNDED.report);
  });

  test("is shown before with the same text", async () => {
    const saved = savedFiles();
    await open(ROUNDED);
    await settled(() => fireEvent.click(screen.getByRole("button", { name: "Preview" })));
    const dialog = screen.getByRole("dialog", { name: "Report without names" });
    expect(dialog.querySelector("pre")?.textContent).toBe(ROUNDED.report);
    await settled(() => fireEvent.click(within(dialog).getByRole("button", { name: "Save report" })));
    expect(saved).toHaveLength(1);
  });
});

describe("a capture without a check", () => {
  const openWithout = (options: Parameters<typeof openCapture>[1] = {}, summary: Partial<Summary> = {}) =>
    openCapture(<HowReadScreen />, { ...options, summary });
  const again = () => screen.getByRole("button", { name: "Analyze again" });

  test("says why, and starts the analysis again", async () => {
    const fetched = vi.spyOn(globalThis, "fetch").mockResolvedValue(new Response(null, { status: 202 }));
    const onChanged = vi.fn<() => void>();
    await openWithout({ canChange: true, onChanged });
    expect(screen.getByRole("heading", { level: 1 }).textContent).toBe(
      "This capture has no check of its files.",
    );
    expect(document.body.textContent).toContain("An earlier version of AG Lens analyzed this capture.");
    await settled(() => fireEvent.click(again()));
    await waitFor(() => expect(onChanged).toHaveBeenCalledOnce());
    expect(fetched.mock.calls.map(([address]) => address)).toEqual([
      "/api/v1/captures/slow-network/analysis",
    ]);
  });

  test("says why the analysis doesn't start", async () => {
    const detail = "a.xel isn't here any more.";
    vi.spyOn(globalThis, "fetch").mockResolvedValue(
      Response.json(
        { code: "files-missing", type: "about:blank", title: "Files missing", detail, status: 409 },
        { status: 409 },
      ),
    );
    const onChanged = vi.fn<() => void>();
    await openWithout({ canChange: true, onChanged });
    await settled(() => fireEvent.click(again()));
    expect((await screen.findByRole("alert")).textContent).toContain(detail);
    expect(onChanged).not.toHaveBeenCalled();
  });

  test("offers no analysis behind a link", async () => {
    const { open: opened } = await openWithout();
    expect(screen.queryByRole("button", { name: "Analyze again" })).toBeNull();
    expect(document.body.textContent).toContain("Its owner can analyze it again.");
    await settled(() => fireEvent.click(screen.getByRole("button", { name: "Open the overview" })));
    expect(opened).toHaveBeenCalledExactlyOnceWith("overview");
  });
});

import { fireEvent, render, screen, waitFor } from "@testing-library/react";
import type { ComponentType, ReactNode } from "react";
import { beforeEach, expect, test, vi } from "vitest";
import { lazyScreen } from "./lazy-screen.tsx";
import { ScreenBoundary } from "./screen-boundary.tsx";

const NEW_VERSION = "The server has another version of AG Lens now.";
const NOT_LOADED = "This part of AG Lens could not be loaded.";
const AWAY = "The server does not answer.";
const STILL_MISSING = "This part of AG Lens cannot be loaded.";

const Words = (): ReactNode => "the screen's words";
const gone = (): Promise<ComponentType> =>
  Promise.reject(new TypeError("Failed to fetch dynamically imported module"));

/** Page that the server returns; null where it does not answer. */
let served: string | null;
const page = (script: string): string => `<script type="module" src="/assets/${script}.js"></script>`;

beforeEach(() => {
  window.sessionStorage.clear();
  // Not in the document, where it would be loaded.
  const script = document.createElement("script");
  script.setAttribute("src", "/assets/index-old.js");
  vi.spyOn(document, "querySelector").mockReturnValue(script);
  served = page("index-new");
  vi.stubGlobal("fetch", () =>
    served === null
      ? Promise.reject(new TypeError("Failed to fetch"))
      : Promise.resolve(new Response(served)),
  );
  // React reports every error that a boundary catches.
  vi.spyOn(console, "error").mockReturnValue();
  return () => vi.restoreAllMocks();
});

const shown = (Screen: ComponentType, at = "/"): ReactNode => (
  <ScreenBoundary resetKeys={[at]}>
    <Screen />
  </ScreenBoundary>
);

/** Opens a screen in a newly loaded page. */
function open(load: () => Promise<ComponentType>) {
  return render(shown(lazyScreen(load)));
}

const pageText = (): string | null => document.body.textContent;
const buttons = (): (string | null)[] =>
  screen.queryAllByRole("button").map(({ textContent }) => textContent);
/** The page has the screen's words and nothing else. */
const expectText = (): Promise<void> => waitFor(() => expect(pageText()).toBe("the screen's words"));

const reloads = () => vi.spyOn(window.location, "reload").mockReturnValue();

test("a screen whose script is there is shown", async () => {
  open(() => Promise.resolve(Words));
  await expectText();
});

test("a script that was loaded ahead is not asked for again", async () => {
  const load = vi.fn(() => Promise.resolve<ComponentType>(Words));
  const Screen = lazyScreen(load);
  Screen.loadAhead();
  Screen.loadAhead();
  render(shown(Screen));
  await expectText();
  expect(load).toHaveBeenCalledTimes(1);
});

test("a screen whose script came before it is shown at once, nothing stands in for it", async () => {
  const Screen = lazyScreen(() => Promise.resolve(Words));
  Screen.loadAhead();
  await Promise.resolve();
  render(shown(Screen));
  expect(pageText()).toBe("the screen's words");
});

test("a script that failed ahead is asked for again when its screen is shown", async () => {
  const load = vi.fn(gone);
  const Screen = lazyScreen(load);
  Screen.loadAhead();
  await expect.poll(() => load.mock.settledResults[0]?.type).toBe("rejected");
  load.mockImplementation(() => Promise.resolve(Words));
  render(shown(Screen));
  await expectText();
});

test("a script that is gone offers to load the page again, and nothing loads it on its own", async () => {
  const reload = reloads();
  open(gone);
  await screen.findByText(NEW_VERSION);
  expect(buttons()).toEqual(["Load again"]);
  expect(reload).not.toHaveBeenCalled();
  fireEvent.click(screen.getByRole("button", { name: "Load again" }));
  expect(reload).toHaveBeenCalledTimes(1);
});

test("a script that is gone from a server of the same version is not called a new version", async () => {
  served = page("index-old");
  open(gone);
  await screen.findByText(NOT_LOADED);
  expect(buttons()).toEqual(["Load again"]);
});

test("a server that does not answer is said to be away, and the screen opens by itself when it is back", async () => {
  served = null;
  const load = vi.fn(gone);
  open(load);
  await screen.findByText(AWAY);
  expect(buttons()).toEqual(["All captures"]);
  served = page("index-old");
  load.mockImplementation(() => Promise.resolve(Words));
  window.dispatchEvent(new Event("online"));
  await expectText();
});

test("a proxy in front of a server that is away is no new version", async () => {
  vi.stubGlobal("fetch", () => Promise.resolve(new Response("Bad gateway", { status: 502 })));
  open(gone);
  await screen.findByText(AWAY);
});

test("it is offered once: where it is gone still, the page says so and does not offer it", async () => {
  reloads();
  const before = open(gone);
  fireEvent.click(await screen.findByRole("button", { name: "Load again" }));
  before.unmount();
  open(gone);
  await screen.findByText(STILL_MISSING);
  expect(buttons()).toEqual(["All captures"]);
});

test("it is offered anew once a script came", async () => {
  reloads();
  const before = open(gone);
  fireEvent.click(await screen.findByRole("button", { name: "Load again" }));
  before.unmount();
  const between = open(() => Promise.resolve(Words));
  await screen.findByText("the screen's words");
  between.unmount();
  open(gone);
  await screen.findByText(NEW_VERSION);
  expect(buttons()).toEqual(["Load again"]);
});

test("without storage it is offered each time", async () => {
  reloads();
  vi.spyOn(window, "sessionStorage", "get").mockImplementation(() => {
    throw new DOMException("denied", "SecurityError");
  });
  const before = open(gone);
  fireEvent.click(await screen.findByRole("button", { name: "Load again" }));
  before.unmount();
  open(gone);
  await screen.findByText(NEW_VERSION);
  expect(buttons()).toEqual(["Load again"]);
});

test("a screen that fails says why and offers the page again; another place gets its chance", async () => {
  const Failing = (): ReactNode => {
    throw new Error("no such stage");
  };
  const { rerender } = render(shown(Failing));
  expect(screen.getByText(/^no such stage/u).textContent).toContain("Your captures are not affected.");
  expect(buttons()).toEqual(["Load again", "All captures"]);
  rerender(shown(Words));
  expect(pageText()).toContain("no such stage");
  rerender(shown(Words, "/elsewhere"));
  expect(pageText()).toBe("the screen's words");
});

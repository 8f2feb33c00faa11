/**
 * `ag-lens.html` from a disk in browsers that the tests do not open: Firefox (WebDriver BiDi) and Safari's engine (WebKitGTK's WebDriver,
 * with Xvfb where there is no screen). Each reads a committed capture, shows its verdict, the sequence of a block and its raw events. On Linux
 * as root the network is cut, so that nothing can be asked of one. `npm run -s other-browsers`.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import { filesOf, topologyOf } from "./steps.ts";

const PAGE = fileURLToPath(new URL("../apps/web/dist/alone/ag-lens.html", import.meta.url));
const PORT = Number(process.env["AGLENS_DRIVER_PORT"] ?? 4815);
const PATIENCE_MS = 60_000;

/** A page of a browser. */
interface Driven {
  readonly open: (url: string) => Promise<unknown>;
  /** @param expression of JavaScript, whose value can be written as JSON */
  readonly evaluate: (expression: string) => Promise<unknown>;
  /** Sets the files of the first file input. */
  readonly setFiles: (paths: readonly string[]) => Promise<unknown>;
  readonly close: () => Promise<unknown>;
}

const started: ChildProcess[] = [];
function start(command: string, args: readonly string[], env: Record<string, string> = {}): ChildProcess {
  const child = spawn(command, args, { stdio: "ignore", env: { ...process.env, ...env } });
  started.push(child);
  return child;
}

/** Tries until it succeeds. @throws the last error */
async function until<T>(attempt: () => Promise<T>): Promise<T> {
  const end = Date.now() + PATIENCE_MS;
  for (;;) {
    try {
      // oxlint-disable-next-line no-await-in-loop -- until it succeeds
      return await attempt();
    } catch (error) {
      if (Date.now() > end) throw error;
      // oxlint-disable-next-line no-await-in-loop -- between two attempts
      await pause(200);
    }
  }
}

/** WebDriver BiDi: commands and their answers over one WebSocket. */
async function firefox(profile: string): Promise<Driven> {
  start("firefox-esr", [
    "--headless",
    "--profile",
    profile,
    `--remote-debugging-port=${PORT}`,
    "--no-remote",
  ]);
  const socket = await until(
    () =>
      new Promise<WebSocket>((resolve, reject) => {
        const opening = new WebSocket(`ws://127.0.0.1:${PORT}/session`);
        opening.addEventListener("open", () => resolve(opening));
        opening.addEventListener("error", () => reject(new Error("Firefox does not answer.")));
      }),
  );
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  socket.addEventListener("message", ({ data }) => {
    const { id, result, message } = JSON.parse(String(data)) as Answered;
    if (result === undefined) waiting.get(id)?.reject(new Error(message));
    else waiting.get(id)?.resolve(result);
  });
  let last = 0;
  const send = <T>(method: string, params: object): Promise<T> => {
    const answer = Promise.withResolvers<unknown>();
    waiting.set(++last, answer);
    socket.send(JSON.stringify({ id: last, method, params }));
    return answer.promise as Promise<T>;
  };
  await send("session.new", { capabilities: {} });
  const { contexts } = await send<{ contexts: { context: string }[] }>("browsingContext.getTree", {});
  const context = contexts[0]?.context;
  const evaluate = async (expression: string): Promise<{ value?: string; sharedId?: string }> => {
    const { result } = await send<{ result: { value?: string; sharedId?: string } }>("script.evaluate", {
      expression,
      target: { context },
      awaitPromise: true,
    });
    return result;
  };
  return {
    open: (url) => send("browsingContext.navigate", { context, url, wait: "complete" }),
    evaluate: async (expression) =>
      JSON.parse((await evaluate(`JSON.stringify(${expression})`)).value ?? "null"),
    setFiles: async (files) => {
      const { sharedId } = await evaluate("document.querySelector('input[type=file]')");
      await send("input.setFiles", { context, element: { sharedId }, files });
    },
    close: () => send("browser.close", {}),
  };
}

interface Answered {
  readonly id: number;
  readonly result?: unknown;
  readonly message?: string;
}

const MINI_BROWSER = "/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser";

/** WebDriver: a request and its answer each. */
async function webkit(): Promise<Driven> {
  const display = ":97";
  start("Xvfb", [display, "-screen", "0", "1440x900x24", "-nolisten", "tcp"]);
  start("WebKitWebDriver", [`--port=${PORT + 1}`], { DISPLAY: display, NO_AT_BRIDGE: "1" });
  const send = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const init = body === undefined ? { method } : { method, body: JSON.stringify(body) };
    const { value } = (await (await fetch(`http://127.0.0.1:${PORT + 1}${path}`, init)).json()) as {
      value: T;
    };
    const { error, message } = (value ?? {}) as { error?: string; message?: string };
    if (error !== undefined) throw new Error(`${error}: ${message}`);
    return value;
  };
  const browserOptions = { binary: MINI_BROWSER, args: ["--automation"] };
  const alwaysMatch = { "webkitgtk:browserOptions": browserOptions };
  const { sessionId } = await until(() =>
    send<{ sessionId: string }>("POST", "/session", { capabilities: { alwaysMatch } }),
  );
  const session = `/session/${sessionId}`;
  return {
    open: (url) => send("POST", `${session}/url`, { url }),
    evaluate: (expression) =>
      send("POST", `${session}/execute/sync`, { script: `return ${expression}`, args: [] }),
    setFiles: async (paths) => {
      const found = await send<Record<string, string>>("POST", `${session}/element`, {
        using: "css selector",
        value: "input[type=file]",
      });
      const element = Object.values(found)[0] ?? "";
      await send("POST", `${session}/element/${element}/value`, { text: paths.join("\n") });
    },
    close: () => send("DELETE", session),
  };
}

/** Waits until the page's text in a selector contains a word. @returns the text */
const shows = ({ evaluate }: Driven, selector: string, words: RegExp): Promise<string> =>
  until(async () => {
    const text = String(
      await evaluate(`document.querySelector(${JSON.stringify(selector)})?.innerText ?? ""`),
    );
    if (!words.test(text))
      throw new Error(`${selector} shows "${text.slice(0, 200)}", not ${String(words)}.`);
    return text;
  });

const press = ({ evaluate }: Driven, key: string): Promise<unknown> =>
  evaluate(
    `document.body.dispatchEvent(new KeyboardEvent("keydown", { key: ${JSON.stringify(key)}, bubbles: true, cancelable: true }))`,
  );

/** Whether the button was there and could be clicked. */
const CLICK_ANALYZE = `(() => {
  const button = [...document.querySelectorAll("button")].find(({ textContent }) => textContent.startsWith("Analyze"));
  if (button === undefined || button.disabled) return false;
  button.click();
  return true;
})()`;

async function walk(page: Driven): Promise<void> {
  await page.evaluate("1");
  await page.open(pathToFileURL(PAGE).href);
  await shows(page, "h1", /Which step/u);
  await page.setFiles([...filesOf("slow-network"), topologyOf("slow-network")]);
  await until(async () => {
    if ((await page.evaluate(CLICK_ANALYZE)) !== true) throw new Error("The files are not recognized.");
  });
  const verdict = await shows(page, "[aria-label=Verdict]", /network/u);
  console.log(`  verdict: ${verdict.split("\n")[0]}`);
  await press(page, "n");
  await until(async () => {
    if (!/block=\d/u.test(String(await page.evaluate("location.href"))))
      throw new Error("No block is selected.");
  });
  await press(page, "Enter");
  await shows(page, "main", /hadr_capture_log_block/u);
  console.log("  sequence of a block with its raw events");
  console.log(`  kept by the browser: ${String(await page.evaluate("typeof indexedDB === 'object'"))}`);
}

/** Runs this script again without any network but the machine's own. */
function withoutNetwork(): boolean {
  if (process.platform !== "linux" || process.getuid?.() !== 0 || process.env["AGLENS_CUT"] === "1")
    return false;
  const again = `ip link set lo up && exec "$0" "$@"`;
  const { status } = spawnSync(
    "unshare",
    ["-n", "sh", "-c", again, process.execPath, fileURLToPath(import.meta.url)],
    {
      stdio: "inherit",
      env: { ...process.env, AGLENS_CUT: "1" },
    },
  );
  process.exitCode = status ?? 1;
  return true;
}

async function walkIn(page: Driven): Promise<void> {
  try {
    await walk(page);
  } finally {
    await page.close();
  }
}

async function main(): Promise<void> {
  if (withoutNetwork()) return;
  if (!existsSync(PAGE)) throw new Error("There is no ag-lens.html: npm run -s build:single");
  const profile = mkdtempSync(join(tmpdir(), "aglens-browser-"));
  try {
    for (const [name, open] of [
      ["Firefox", () => firefox(profile)],
      ["WebKitGTK", webkit],
    ] as const) {
      console.log(`${name}${process.env["AGLENS_CUT"] === "1" ? ", network cut" : ""}`);
      // oxlint-disable-next-line no-await-in-loop -- one browser after the other
      await walkIn(await open());
    }
  } finally {
    for (const child of started) child.kill();
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

await main();

/** Prometheus, which scrapes an address of this machine, and its promtool. */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import { freePort } from "./free-port.ts";
import { expectProgram } from "./programs.ts";

const pathOf = (program: string): string | null =>
  (process.env["PATH"] ?? "")
    .split(delimiter)
    .map((folder) => join(folder, program))
    .find((path) => existsSync(path)) ?? null;

/** Paths of the programs; null where they are not installed. */
export const PROMETHEUS_PROGRAM = pathOf("prometheus");
export const PROMTOOL_PROGRAM = pathOf("promtool");
const HOW = "Debian's package prometheus has Prometheus.";

/** Runs promtool. @returns its exit code, and what it writes */
export async function promtool(
  args: readonly string[],
  input = "",
): Promise<{ readonly code: number; readonly said: string }> {
  const program = expectProgram(PROMTOOL_PROGRAM, HOW);
  return new Promise((resolve) => {
    const child = execFile(program, args, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), said: `${stdout}${stderr}` });
    });
    child.stdin?.end(input);
  });
}

export interface TestPrometheus {
  /** Values of an expression now, by their labels as JSON. */
  query(expression: string): Promise<Map<string, number>>;
  /** Address of its API, such as http://127.0.0.1:4000/api/v1 */
  readonly api: string;
  end(): Promise<void>;
}

const TRIES = 1_200;

/** Starts it. @param target host and port whose /metrics it scrapes each second @param rules path of its rules */
export async function startPrometheus(target: string, rules: string): Promise<TestPrometheus> {
  const program = expectProgram(PROMETHEUS_PROGRAM, HOW);
  const folder = await mkdtemp(join(tmpdir(), "aglens-prometheus-"));
  const port = await freePort();
  const config = join(folder, "prometheus.yml");
  await writeFile(
    config,
    JSON.stringify({
      global: { scrape_interval: "1s", scrape_timeout: "1s", evaluation_interval: "1s" },
      rule_files: [rules],
      scrape_configs: [{ job_name: "aglens", static_configs: [{ targets: [target] }] }],
    }),
  );
  const prometheus = spawn(
    program,
    [
      `--config.file=${config}`,
      `--storage.tsdb.path=${join(folder, "data")}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    { stdio: ["ignore", "ignore", "pipe"] },
  );
  const said = text(prometheus.stderr);
  const address = `http://127.0.0.1:${port}`;
  for (let tries = 1; ; tries += 1) {
    if ((await fetch(`${address}/-/ready`).catch(() => null))?.ok) break;
    if (prometheus.exitCode !== null || tries === TRIES) {
      prometheus.kill("SIGKILL");
      throw new Error(`Prometheus does not start: ${await said}`);
    }
    await pause(50);
  }
  return {
    api: `${address}/api/v1`,
    query: async (expression) => {
      const response = await fetch(`${address}/api/v1/query?query=${encodeURIComponent(expression)}`);
      const { data } = (await response.json()) as {
        readonly data: { readonly result: { readonly metric: object; readonly value: [number, string] }[] };
      };
      return new Map(data.result.map(({ metric, value }) => [JSON.stringify(metric), Number(value[1])]));
    },
    end: async () => {
      prometheus.kill("SIGKILL");
      if (prometheus.exitCode === null && prometheus.signalCode === null) await once(prometheus, "exit");
      await rm(folder, { recursive: true });
    },
  };
}

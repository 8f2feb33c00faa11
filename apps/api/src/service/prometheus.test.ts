/** Metrics, alert rules and dashboards, as Prometheus reads them. */
import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { PROMETHEUS_PROGRAM, PROMTOOL_PROGRAM, promtool, startPrometheus } from "../../test/prometheus.ts";
import { sampleMetrics } from "../../test/sample-metrics.ts";
import { ROOT } from "../../test/service.ts";
import { until } from "../../test/until.ts";
import { systemClock } from "../kernel/clock.ts";

const RULES = join(ROOT, "docs/deploy/alert-rules.yaml");

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "aglens-rules-"));
});
afterEach(() => rm(folder, { recursive: true }));

/** Values of the variables of dashboards, for the sample. */
const VARIABLES = {
  __rate_interval: "10s",
  job: "aglens",
  group: "SALES-AG",
  replica: "SQL2",
  stage: "log_write",
};

/** Expressions of a dashboard, with values for its variables. */
function expressionsOf(name: string): string[] {
  const dashboard = readFileSync(join(ROOT, "docs/deploy", name), "utf8");
  return [...dashboard.matchAll(/"expr": ("(?:[^"\\]|\\.)*")/gu)].map(([, text = ""]) =>
    Object.entries(VARIABLES).reduce(
      (expression, [name, value]) => expression.replaceAll(`$${name}`, value),
      String(JSON.parse(text)),
    ),
  );
}

describe.skipIf(PROMTOOL_PROGRAM === null)("promtool", () => {
  test("reads the alert rules", async () => {
    const { code, said } = await promtool(["check", "rules", RULES]);
    expect([code, said]).toEqual([0, expect.stringContaining("10 rules found")]);
  });

  test.each(["grafana-dashboard.json", "grafana-watches.json"])("reads all queries of %s", async (name) => {
    const rules = expressionsOf(name).map((expr, index) => ({ record: `query_${index}`, expr }));
    expect(rules.length).toBeGreaterThan(8);
    const path = join(folder, "queries.yaml");
    await writeFile(path, JSON.stringify({ groups: [{ name, rules }] }));
    const { code, said } = await promtool(["check", "rules", path]);
    expect([code, said]).toEqual([0, expect.stringContaining(`${rules.length} rules found`)]);
  });

  test("finds nothing to improve in the metrics of AG Lens", async () => {
    const { metrics, count } = sampleMetrics(systemClock);
    count(3);
    const text = await metrics.text();
    metrics.registry.clear();
    const { said } = await promtool(["check", "metrics"], text);
    expect(said.split("\n").filter((line) => line.startsWith("aglens_") || line.includes("error"))).toEqual(
      [],
    );
  });

  test("fires the rules, each for its group and replica", async () => {
    const labels = (more: string): string => `{job="aglens",instance="a",group="SALES-AG"${more}}`;
    const input_series = [
      { series: `aglens_captures{job="aglens",instance="a"}`, values: "1x20" },
      { series: `aglens_commit_delay_seconds${labels("")}`, values: "0.03x20" },
      { series: `aglens_watch_commit_delay_limit_seconds${labels("")}`, values: "0.015x20" },
      { series: `aglens_synchronized${labels(',replica="SQL2"')}`, values: "0x20" },
      { series: `aglens_estimated_data_loss_seconds${labels(',replica="SQL2"')}`, values: "61x20" },
      { series: `aglens_watch_state${labels(',state="unreachable"')}`, values: "1x20" },
      { series: `aglens_watch_state${labels(',state="watching"')}`, values: "0x20" },
    ];
    const fires = (alertname: string, exp_labels: object, exp_annotations: object): object => ({
      eval_time: "10m",
      alertname,
      exp_alerts: [{ exp_labels: { job: "aglens", group: "SALES-AG", ...exp_labels }, exp_annotations }],
    });
    const quiet = (alertname: string): object => ({ eval_time: "10m", alertname, exp_alerts: [] });
    const alert_rule_test = [
      fires(
        "CommitDelayOverLimit",
        { severity: "warning", instance: "a" },
        {
          summary: "Commit delay of SALES-AG is over the limit",
          description: "The mean commit delay is 30ms, which is over the limit of the watch.",
        },
      ),
      fires(
        "NotSynchronized",
        { severity: "critical", instance: "a", replica: "SQL2" },
        {
          summary: "SQL2 of SALES-AG is not SYNCHRONIZED",
          description: "A failover to this synchronous secondary can lose data.",
        },
      ),
      fires(
        "EstimatedDataLoss",
        { severity: "warning", instance: "a", replica: "SQL2" },
        {
          summary: "Estimated data loss of SALES-AG on SQL2",
          description: "A failover to SQL2 loses the commits of 1m 1s.",
        },
      ),
      fires(
        "WatchCannotPoll",
        { severity: "warning", state: "unreachable" },
        {
          summary: "AG Lens can't poll SALES-AG",
          description:
            "State of the watch is unreachable. The page of the watch shows the reason and the next step.",
        },
      ),
      ...["CommitsSlow", "SendQueueLong", "RedoQueueLong", "RecordingRefused", "AgLensNotScraped"].map(quiet),
    ];
    const path = join(folder, "test.yaml");
    await writeFile(
      path,
      JSON.stringify({ rule_files: [RULES], tests: [{ interval: "1m", input_series, alert_rule_test }] }),
    );
    const { code, said } = await promtool(["test", "rules", path]);
    expect([code, said]).toEqual([0, expect.stringContaining("SUCCESS")]);
  });
});

describe.skipIf(PROMETHEUS_PROGRAM === null)("Prometheus", () => {
  test("scrapes histograms and gauges, and ends series of what is over", async () => {
    const { metrics, count, loseServers } = sampleMetrics(systemClock);
    const server = createServer((_request, response) => {
      count(100);
      void metrics.text().then((text) => {
        response.setHeader("content-type", metrics.registry.contentType);
        response.end(text);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const prometheus = await startPrometheus(`127.0.0.1:${(server.address() as AddressInfo).port}`, RULES);
    try {
      const one = async (expression: string): Promise<number | undefined> =>
        [...(await prometheus.query(expression)).values()][0];
      const p95 =
        'histogram_quantile(0.95, sum by (le) (rate(aglens_commit_seconds_bucket{group="SALES-AG"}[10s])))';
      await until(async () => ((await one(p95)) ?? Number.NaN) > 0);
      // All are in the bucket from 20 to 50 ms: 20 + 0.95 x 30.
      expect(await one(p95)).toBeCloseTo(0.0485, 6);
      const writes = 'increase(aglens_stage_seconds_count{replica="SQL2",stage="log_write"}[10s])';
      expect(await one(writes)).toBeGreaterThan(0);
      expect(await one('aglens_send_queue_bytes{group="SALES-AG",replica="SQL2"}')).toBe(300 * 1024);
      expect(await one("aglens_commit_delay_seconds")).toBe(0.03);
      expect(await one('aglens_watch_state{state="recording"}')).toBe(1);
      expect(await one('scrape_samples_scraped{job="aglens"}')).toBeGreaterThan(100);
      // Refusals and intervals without a poll are shown only where there are some.
      const shown = expressionsOf("grafana-watches.json").filter((expression) => !expression.endsWith("> 0"));
      expect(shown).toHaveLength(15);
      const answers = await Promise.all(shown.map((expression) => prometheus.query(expression)));
      expect(shown.filter((_, index) => answers[index]?.size === 0)).toEqual([]);
      const rules = (await (await fetch(`${prometheus.api}/alerts`)).json()) as {
        readonly data: { readonly alerts: { readonly labels: { readonly alertname: string } }[] };
      };
      expect(rules.data.alerts.map(({ labels }) => labels.alertname)).toContain("NotSynchronized");
      loseServers();
      await until(async () => (await prometheus.query("aglens_send_queue_bytes")).size === 0);
      expect(await one('aglens_watch_state{state="unreachable"}')).toBe(1);
    } finally {
      await prometheus.end();
      server.close();
      metrics.registry.clear();
    }
  });
});

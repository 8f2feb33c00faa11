/** Metrics of watches. Watches of groups with the same name count together. */
import { WATCH_RULES, WATCH_STATES } from "@aglens/contract";
import { Counter, Gauge } from "prom-client";
import type { Registry } from "prom-client";
import type { WatchFigures } from "../watch/watch-figures.ts";

type Read = () => readonly WatchFigures[];

export function addWatches(registry: Registry, watches: Read): void {
  const registers = [registry];
  const states: Gauge<"group" | "state"> = new Gauge({
    name: "aglens_watch_state",
    help: "Watches of the group that are in the state",
    labelNames: ["group", "state"],
    registers,
    collect: () => {
      states.reset();
      for (const { group, state } of watches())
        for (const each of WATCH_STATES) states.inc({ group, state: each }, Number(each === state));
    },
  });
  const limit: Gauge<"group"> = new Gauge({
    name: "aglens_watch_commit_delay_limit_seconds",
    help: "Mean commit delay above which the watch records",
    labelNames: ["group"],
    registers,
    collect: () => {
      limit.reset();
      for (const { group, delayLimitMs } of watches())
        if (delayLimitMs !== null) limit.set({ group }, delayLimitMs / 1000);
    },
  });
  addCounts(registry, watches);
}

/** Each rule has a value from the start: Prometheus finds no increase from a series that wasn't there. */
function addCounts(registry: Registry, watches: Read): void {
  const registers = [registry];
  const counter = (name: string, help: string, value: "polls" | "problems"): void => {
    const counted: Counter<"group"> = new Counter({
      name,
      help,
      labelNames: ["group"],
      registers,
      collect: () => {
        counted.reset();
        for (const { group, counts } of watches()) counted.inc({ group }, counts[value]);
      },
    });
  };
  counter("aglens_watch_polls_total", "Answered polls of the group's primary", "polls");
  counter(
    "aglens_watch_problems_total",
    "Intervals without an answered poll of the group's primary",
    "problems",
  );
  const byRule = (name: string, help: string, value: "recordings" | "refusals"): void => {
    const counted: Counter<"group" | "rule"> = new Counter({
      name,
      help,
      labelNames: ["group", "rule"],
      registers,
      collect: () => {
        counted.reset();
        for (const { group, counts } of watches())
          for (const rule of WATCH_RULES) counted.inc({ group, rule }, counts[value][rule]);
      },
    });
  };
  byRule(
    "aglens_watch_recordings_total",
    "Recordings that a rule, a person, or a tool started",
    "recordings",
  );
  byRule("aglens_watch_refusals_total", "Triggers without a recording, by rule", "refusals");
}

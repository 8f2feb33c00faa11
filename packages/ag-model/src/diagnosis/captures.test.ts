/**
 * Verdicts on the reference captures, which contain exported rows of real ones, encoded again by us (docs/evidence.md);
 * the figures are those of docs/contribute/model/stages.md 4.2 and docs/contribute/model/clocks.md 5.3.
 */
import { createReadStream, readdirSync } from "node:fs";
import { describeReference } from "@aglens/reference-data";
import { expect, test } from "vitest";
import { mergeColumns, readEvents } from "../events/index.ts";
import { overviewOf, summarise } from "../query/index.ts";
import { buildModel } from "../replication/model.ts";
import type { CaptureModel, Role } from "../replication/shapes/tables.ts";
import { diagnose } from "./index.ts";

async function modelOfCapture(captures: string, name: string): Promise<CaptureModel> {
  const replica = async (role: Role, shown: string) => {
    const folder = `${captures}/${name}/${role}/`;
    const files = readdirSync(folder).filter((file) => file.endsWith(".xel"));
    const parts = await Promise.all(
      files.sort().map((file) => readEvents(createReadStream(folder + file), file)),
    );
    return { role, columns: mergeColumns(parts), name: shown };
  };
  return buildModel([await replica("primary", "SQL1"), await replica("secondary", "SQL2")]);
}

const plain = (text: string) => text.replaceAll("\u00A0", " ");

describeReference(
  {
    folder: "captures",
    tests: 2,
    prove: "the verdicts on exported rows of real captures are those that people came to",
  },
  (captures) => {
    test("2016: a slow network for 36 s takes 71 % of remote harden", async () => {
      const model = await modelOfCapture(captures, "2016-one-secondary");
      const verdict = diagnose(model);
      expect(plain(verdict.sentence)).toBe(
        "The network to SQL2 takes 71 % of remote harden time. 98 % of that falls between 02:17:28 and 02:18:04, " +
          "when the round trip was 150 ms instead of 0.6 ms.",
      );
      expect(verdict).toMatchObject({ severity: "slow", place: "network", stage: "networkRoundTrip" });
      expect(verdict.episodes).toHaveLength(1);
      expect(verdict.episodes[0].blocks).toBe(211);
      const summary = summarise(model, "id", "name", verdict);
      expect(summary.flushClasses).toEqual([
        { good: 989, reasonable: 79, busy: 27, bad: 13 },
        { good: 943, reasonable: 107, busy: 37, bad: 21 },
      ]);
      expect(summary.commits.gates).toEqual([79, 1023]);
      const view = overviewOf(model, { from: 0, to: model.duration, bins: 100, secondary: 0 });
      expect(view.idle.map(([from, to]) => Math.round((to - from) / 1e5) / 10)).toEqual([31.4, 13.2]);
    });

    test("2017: a constant round trip of 24 ms is distance", async () => {
      const verdict = diagnose(await modelOfCapture(captures, "2017-two-secondaries"));
      expect(plain(verdict.sentence)).toBe(
        "The network to SQL2 takes 87 % of remote harden time. The round trip is 24 ms throughout: that is distance. SQL2 releases 100 % of the commits.",
      );
      expect(verdict).toMatchObject({ severity: "slow", place: "network" });
      expect(verdict.episodes).toEqual([]);
    });
  },
);

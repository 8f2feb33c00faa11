/**
 * Keeps a live run as a capture, and is killed before a step: a write of the catalog, a rename or a removal. Arguments:
 * data directory, recorded files of a run, number of earlier steps. Ends with 0 when there are no more steps.
 */
import fs from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { dirname, join } from "node:path";
import { recoverRun } from "../src/live/run/keep.ts";
import { beforeWrites } from "./before-writes.ts";
import { testService } from "./service.ts";
import { stubAnalyzer } from "./stub-analyzer.ts";

const [dataDirectory = "", recorded = "", steps = ""] = process.argv.slice(2);
let left = Number(steps);

function counted<Given extends unknown[], Answer>(
  step: (...given: Given) => Answer,
): (...given: Given) => Answer {
  return function (this: unknown, ...given) {
    if (left === 0) process.kill(process.pid, "SIGKILL");
    left -= 1;
    return step.apply(this, given);
  };
}

const service = await testService({ dataDirectory }, stubAnalyzer());
// Created only now, because the service would otherwise make a capture of it.
const run = join(dataDirectory, "live/run");
await fs.mkdir(dirname(run), { recursive: true });
await fs.rename(recorded, run);
Object.assign(fs, { rename: counted(fs.rename), rm: counted(fs.rm) });
syncBuiltinESMExports();
beforeWrites(counted(() => {}));
await recoverRun(service.captures, run);
process.exit(0);

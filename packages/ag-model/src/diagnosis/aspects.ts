/** Aspects that commits can wait for: one entry per cause and path, each with its time, its figure and its limit. */
import type { CaptureModel } from "../replication/shapes/tables.ts";
import type { Aspect } from "./aspect.ts";
import { compressionAspect, sendAspect } from "./rules/capture-work.ts";
import { localWriteAspect, secondaryWriteAspect } from "./rules/log-writes.ts";
import { networkAspect } from "./rules/network.ts";
import { pathsWaitedFor } from "./paths.ts";
import { acknowledgmentAspect, groupCommitAspect } from "./rules/primary-work.ts";
import { secondaryWorkAspect } from "./rules/secondary-work.ts";
import type { Settings } from "./settings.ts";
import { unsplitAspect } from "./rules/unsplit.ts";

/** Every aspect of a capture that commits may wait for; flow control is in `flow-control.ts`. */
export function aspectsOf(model: CaptureModel, settings: Settings): Aspect[] {
  const paths = pathsWaitedFor(model);
  const write = localWriteAspect(model, settings);
  const others = [
    acknowledgmentAspect(model, paths, settings),
    ...paths.flatMap((path) => [
      networkAspect(model, path, settings),
      secondaryWriteAspect(model, path, settings),
      sendAspect(model, path, settings),
      ...compressionAspect(model, path, settings),
      secondaryWorkAspect(model, path, settings),
      ...unsplitAspect(model, path, settings),
    ]),
  ];
  const largest = [write, ...others].reduce((most, { share }) => Math.max(most, share || 0), 0);
  return [write, groupCommitAspect(model, largest, settings), ...others];
}

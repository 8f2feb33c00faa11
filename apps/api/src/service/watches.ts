/** Watches of availability groups. */
import type { Logger } from "pino";
import type { Clock } from "../kernel/clock.ts";
import type { Live } from "../live/live.ts";
import type { Config } from "../settings/config.ts";
import { WatchSecrets } from "../watch/watch-file.ts";
import { NO_MESSAGES } from "../watch/watch-messages.ts";
import { Watches } from "../watch/watches.ts";
import type { Stores } from "./stores.ts";

interface WatchServiceParts {
  readonly config: Config;
  readonly stores: Stores;
  readonly live: Live;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Opens and starts them. @param closing closes opened parts */
export async function openWatches(
  { config, stores, live, clock, log }: WatchServiceParts,
  closing: AsyncDisposableStack,
): Promise<Watches> {
  const store = stores.records.watchStore;
  // "*" in AGLENS_LIVE_HOSTS lets a contributor choose any server; without the setting only this machine's users can.
  const needsHosts = config.liveHosts !== undefined && live.allowance().anyHost;
  const secrets = new WatchSecrets(config.watchFile, needsHosts);
  const watches = new Watches({ store, secrets, live, messages: NO_MESSAGES, clock, log });
  closing.defer(() => watches.close());
  await watches.open();
  return watches;
}

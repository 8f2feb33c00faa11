/** Watches of availability groups. */
import type { Logger } from "pino";
import type { Answers } from "../captures/answers/answers.ts";
import type { Captures } from "../captures/captures.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Live } from "../live/live.ts";
import type { Patience } from "../live/server/connection.ts";
import type { Config } from "../settings/config.ts";
import { Messages } from "../watch/messages/messages.ts";
import { LiveRecorder } from "../watch/recording.ts";
import { WatchSecrets } from "../watch/watch-file.ts";
import { Watches } from "../watch/watches.ts";
import type { OneOfSeveral } from "./one-of-several.ts";
import type { Stores } from "./stores.ts";

interface WatchServiceParts {
  readonly config: Config;
  readonly stores: Stores;
  readonly captures: Captures;
  readonly answers: Answers;
  readonly live: Live;
  readonly several: OneOfSeveral | undefined;
  readonly patience: Patience;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Opens and starts them. @param closing closes opened parts */
export async function openWatches(
  { config, stores, captures, answers, live, several, patience, clock, log }: WatchServiceParts,
  closing: AsyncDisposableStack,
): Promise<Watches> {
  const store = stores.records.watchStore;
  // "*" in AGLENS_LIVE_HOSTS lets a contributor choose any server; without the setting only this machine's users can.
  const needsHosts = config.liveHosts !== undefined && live.allowance().anyHost;
  const secrets = new WatchSecrets(config.watchFile, needsHosts);
  const messages = new Messages({
    store,
    secrets,
    captures: {
      summary: (id) => answers.summary(id),
      preview: (id) => captures.analyses.preview(id),
    },
    clock,
    log,
    publicUrl: config.publicUrl,
    onStep: (watch, episode, step) => watches.noteStep(watch, episode, step),
  });
  const watches: Watches = new Watches({
    store,
    secrets,
    live,
    openRecorder: ({ id, definition, owner, login }) =>
      new LiveRecorder({
        live,
        captures,
        clock,
        definition,
        owner: owner ?? undefined,
        login,
        onProblem: (reason) => log.warn({ watch: id, reason }, "the ring of a watch can't begin"),
      }),
    messages,
    recovered: () => live.recovered,
    others: stores.records.others,
    server: several?.name ?? null,
    clock,
    patience,
    log,
  });
  closing.defer(() => watches.close());
  await watches.open();
  return watches;
}

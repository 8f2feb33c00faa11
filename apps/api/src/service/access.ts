/** Access to this service; null where users don't sign in. */
import type { CustomFetch } from "openid-client";
import type { Logger } from "pino";
import { openAccess } from "../access/access.ts";
import type { Access } from "../access/access.ts";
import { accessSettings } from "../access/access-settings.ts";
import type { Passing } from "../access/passing.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Config } from "../settings/config.ts";
import type { Stores } from "./stores.ts";

interface AccessServiceParts {
  readonly config: Config;
  readonly stores: Stores;
  readonly passing: Passing;
  readonly clock: Clock;
  readonly directoryFetch: CustomFetch | undefined;
  readonly log: Logger;
}

/** @param closing closes opened parts @throws StartError */
export async function openAccessTo(
  { config, stores, passing, clock, directoryFetch, log }: AccessServiceParts,
  closing: AsyncDisposableStack,
): Promise<Access | null> {
  const settings = accessSettings(config);
  if (settings === null) return null;
  const { publicUrl, keepDays } = config;
  const access = await openAccess(settings, {
    store: stores.records.accessStore,
    passing,
    clock,
    log,
    publicUrl,
    keepDays,
    directoryFetch,
  });
  closing.defer(() => access.close());
  return access;
}

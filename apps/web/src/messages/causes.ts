/** Addresses of sections of the guide, and the section about each cause that a verdict or a finding has. */
import type { CAUSES } from "@aglens/ag-model/diagnosis";

type Cause = (typeof CAUSES)[number];

/** Address of a heading within its page, by the rule of GitHub. */
export function slugOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");
}

const verdict = (heading: string): string => `verdict/${slugOf(heading)}`;
const findings = (heading: string): string => `findings/${slugOf(heading)}`;

const HELP: Readonly<Record<Cause, string>> = {
  none: verdict("No stage stands out"),
  primary_disk: verdict("Slow log writes on the primary"),
  secondary_disk: verdict("Slow log writes on a secondary"),
  network: verdict("Slow network"),
  send: verdict("Slow send"),
  compression: verdict("Slow compression"),
  group_commit: verdict("Long group commit wait"),
  flow_control: verdict("Flow control"),
  secondary_cpu: verdict("Slow secondary outside its log write"),
  primary_ack: verdict("Slow acknowledgment and wake-up"),
  stall: verdict("Stalled commits"),
  imbalance: verdict("One replica decides"),
  server_pause: findings("Unresponsive server"),
  async_replica: findings("Asynchronous replica"),
  async_lag: findings("Asynchronous replica with lag"),
  role_change: findings("Failover"),
  mode_change: findings("Changed availability mode"),
  replica_away: findings("Disconnected or suspended replica"),
  clock_step: findings("Clock step"),
  lost_events: findings("Lost events"),
  no_start_timestamp: findings("No start_timestamp"),
  data_quality: findings("Data quality"),
};

/** Page and section of the guide that say what a cause means and what to check next: `verdict/slow-network`. */
export const helpOfCause = (cause: Cause): string => HELP[cause];
